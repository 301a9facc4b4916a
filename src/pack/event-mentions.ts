import type { Span } from "../diagnostic.js";
import type { Node } from "../document/node.js";
import { literalKeywords } from "../template/tokens.js";
import { appendTo, cached, getOrCreate, lazy } from "../text/collections.js";
import { createGuesser, uniqueNearestName } from "../text/names.js";
import { completeTextsOf, createMentionSearch, fold, WordUnion } from "./mentions.js";
import type { Pack } from "./pack.js";
import type { Prompt, TemplateText } from "./prompt.js";
import type { State } from "./workflow.js";

const maxAskedPerText = 2_000;
/** Pairs of a prompt and a name: a thousand prompts may include one long fragment. */
const maxPairs = 200_000;
const maxQuotedLength = 100;
const maxGapLength = 40;
const maxClauseLength = 60;

/** Things other than events may be sent, raised or triggered. */
const vagueVerbs = new Set(["send", "raise", "trigger"]);
/** So is "respond with"; after it, a quoted word may be any answer. */
const verbs = new Set(["emit", "fire", "signal", "event", ...vagueVerbs]);
const maxVerbLength = "trigger".length;

/** "emit X when …", but not "emit X values". */
const mayFollow =
  /^(?:|events?|when|if|once|after|before|as|for|to|with|only|unless|until|otherwise|on|by|then|so|accordingly)$/;

/** A clause that forbids what follows, or says that an event arrives: "on the event X". */
const notAsking =
  /(?:\b(?:never|not|cannot|without)|n['’]t)\b(?:,[^.,;:!?]*,)?(?:(?!\n\s*[-*#])[^.,;:!?])*$|\b(?:on|after|by|when|if|from|for|of|receive) (?:the )?$/i;

const nameEnd = /^\**(?:$|[\s,;!?)]|[.:](?:$|[\s*)]))/;
const closingQuotes = new Map([..."`\"'“‘"].map((quote, index) => [quote, "`\"'”’".charAt(index)]));

// Created on use: compiling a pattern with Unicode properties takes a millisecond.
const namePattern = () => /[\p{L}\p{M}\p{N}_]+(?:-[\p{L}\p{M}\p{N}_]+)*/gu;

interface WrittenName extends Span {
  readonly name: string;
  readonly isQuoted: boolean;
}

/** A name that a text asks the model to send as an event. */
interface AskedEvent extends WrittenName {
  readonly source: TemplateText;
  /** Otherwise it counts only if some state waits for it, or this one for a similar name. */
  readonly isCertain: boolean;
}

/** The names after a verb, joined by commas, "and" or "or". */
interface NameList {
  readonly verb: string;
  readonly at: number;
  readonly names: WrittenName[];
  /** "emit the X event" names an event, "emit the X" need not. */
  hasArticle: boolean;
  isJoined: boolean;
}

class EventReader {
  /** Events in quotes, unlike any word of prose, or after a verb, as they are written and in any case. */
  readonly mentioned = new Set<string>();
  /** The first of each name. */
  readonly asked = new Map<string, AskedEvent>();
  private readonly text: string;
  private list: NameList | undefined;

  /** `events`: those of all states, in any case. */
  constructor(
    private readonly source: TemplateText,
    private readonly events: ReadonlySet<string>,
  ) {
    this.text = source.literalText;
    let [lastWord, lastEnd] = ["", 0];
    for (const { 0: name, index: start } of this.text.matchAll(namePattern())) {
      const end = start + name.length;
      const quoted = this.text[start - 1] === " " ? undefined : this.quotedAt(start);
      const isQuoted = quoted === name;
      if (quoted !== undefined || hasNameShape(name)) this.mention(quoted ?? name);
      const word = isQuoted || name.length > maxVerbLength ? "" : name.toLowerCase();
      const isVerb = verbs.has(word) || (word === "with" && lastWord === "respond");
      if (this.list !== undefined)
        this.extendList(this.list, { name, start, end, isQuoted }, lastEnd, isVerb);
      if (isVerb) this.list = { verb: word, at: start, names: [], hasArticle: false, isJoined: false };
      [lastWord, lastEnd] = [word, end];
    }
    this.endList();
  }

  private mention(name: string): void {
    const any = inAnyCase(name);
    if (this.events.has(any)) this.mentioned.add(name).add(any);
  }

  /** The text in quotes that begins here. */
  private quotedAt(start: number): string | undefined {
    const closing = closingQuotes.get(this.text.charAt(start - 1));
    // In "don't", it is an apostrophe.
    if (closing === undefined || /\w/.test(this.text.charAt(start - 2))) return undefined;
    const rest = this.text.slice(start, start + maxQuotedLength);
    const end = rest.indexOf(closing);
    return end < 0 ? undefined : rest.slice(0, end);
  }

  private extendList(list: NameList, next: WrittenName, lastEnd: number, isVerb: boolean): void {
    const [first] = list.names;
    const joint = jointIn(this.text.slice(lastEnd, Math.min(next.start, lastEnd + maxGapLength)));
    const word = next.isQuoted ? "" : next.name.toLowerCase();
    const isNext = first === undefined ? joint === "" : joint === "," || list.isJoined;
    if (joint !== "" && joint !== ",") this.endList();
    else if (isVerb) this.endList(joint === "" ? word : "");
    else if (first === undefined && (word === "the" || next.name === "a" || word === "an"))
      list.hasArticle = true;
    else if (first !== undefined && (word === "and" || word === "or")) list.isJoined = true;
    else if (isNext && (first === undefined || isLike(next, first))) {
      list.names.push(next);
      list.isJoined = false;
    } else this.endList(isNext || joint === "," ? "" : word);
  }

  private endList(wordAfter = ""): void {
    const { list } = this;
    this.list = undefined;
    if (list === undefined || (list.hasArticle && !/^events?$/.test(wordAfter))) return;
    const isVague = vagueVerbs.has(list.verb);
    if (!isVague) for (const { name } of list.names) this.mention(name);
    const asked = this.asked.size < maxAskedPerText ? list.names.filter((name) => this.mayBeAsked(name)) : [];
    if (asked.length === 0) return;
    if (notAsking.test(this.text.slice(Math.max(0, list.at - maxClauseLength), list.at))) return;
    for (const written of asked) {
      const { name, isQuoted } = written;
      const isPlain = !hasNameShape(name) || (name.includes("-") && !isQuoted);
      const isCertain =
        !isVague && mayFollow.test(wordAfter) && !(isPlain && (list.verb === "with" || !isQuoted));
      if (this.asked.get(name)?.isCertain !== true && (isCertain || !this.asked.has(name)))
        this.asked.set(name, { ...written, source: this.source, isCertain });
    }
  }

  /** Whether it is written like a name, and is not part of something longer, such as a path or a call. */
  private mayBeAsked({ name, start, end, isQuoted }: WrittenName): boolean {
    if (/^[\d_]/.test(name) || literalKeywords.has(name)) return false;
    const isWhole =
      nameEnd.test(this.text.slice(end, end + 5)) && !closingQuotes.has(this.text.charAt(start - 1));
    return isQuoted || (hasNameShape(name) && isWhole);
  }
}

/** What is between two words but for spaces, quotes and asterisks. */
function jointIn(gap: string): string {
  if (gap === " ") return "";
  return /\s/.test(gap) && !/\n\s*\n/.test(gap) ? gap.replace(/[\s`"'“”‘’*]/g, "") : ".";
}

/** No name has a line break. */
function inAnyCase(name: string): string {
  return `\n${fold(name)}`;
}

/** Two capital humps, an underscore or a hyphen. */
function hasNameShape(name: string): boolean {
  return /[_-]|^[A-Z].*[a-z0-9][A-Z]/.test(name);
}

/** "Emit Approved and go on": a plain word is another name of the list only if it is written like the first. */
function isLike(next: WrittenName, first: WrittenName): boolean {
  const isName = (each: WrittenName) => each.isQuoted || hasNameShape(each.name);
  const isCapital = ({ name }: WrittenName) => name.charAt(0) !== name.charAt(0).toLowerCase();
  return isName(next) || (isCapital(next) === isCapital(first) && (isCapital(next) || !isName(first)));
}

const eventReaderOf = cached((pack: Pack) => {
  const transitions = pack.workflow?.states.flatMap((state) => state.transitions) ?? [];
  const events = new Set(transitions.map(({ event }) => inAnyCase(event.text)));
  return cached((source: TemplateText) => new EventReader(source, events));
});

/** How prompts name the events of their states. With an unknown orchestration it is unclear who sends them. */
export const eventMentions = cached((pack: Pack) => {
  const search = createMentionSearch(pack);
  const eventsIn = eventReaderOf(pack);
  const namesIn = cached((prompt: Prompt) => {
    const texts = completeTextsOf(pack, prompt);
    const length = texts?.reduce((sum, { text }) => sum + text.text.length, 0);
    return (
      texts &&
      new WordUnion(
        texts.map((text) => () => eventsIn(text).mentioned),
        length,
      )
    );
  });
  return (pack.workflow?.clearStates ?? []).flatMap((state) => {
    const { prompt, terminal, onEvent, orchestration, transitions } = state;
    if (terminal?.value === true || (orchestration?.text ?? "internal") !== "internal") return [];
    const names = prompt && namesIn(prompt);
    if (prompt === undefined || names === undefined || onEvent === undefined) return [];
    if (!state.isClear("terminal", "orchestration")) return [];
    const found = transitions.map(({ event: { text } }) => {
      const how = names.has(text) ? "certain" : search(prompt, text);
      const isPlain = how === "other case" && !names.has(inAnyCase(text));
      return { text, how: isPlain ? "plain" : how };
    });
    const named = (...those: readonly string[]) =>
      found.flatMap(({ text, how }) => (those.includes(how ?? "") ? text : []));
    const [exact, otherCase, missing] = [named("certain"), named("other case"), named("none", "plain")];
    return {
      state,
      prompt,
      onEvent,
      exact,
      otherCase,
      missing,
      namesNone: named("none").length === found.length,
    };
  });
});

/** A prompt that asks for an event, and the states that run it and wait for none of that name. */
interface Asker {
  readonly prompt: Prompt;
  readonly states: readonly State[];
  /** The nearest of their events. */
  readonly near: string | undefined;
  /** The same, unless another is as near. */
  readonly onlyNear: string | undefined;
}

/** The names that prompts ask for, in one place each, with the first other state that waits for such an event. */
export const unknownEvents = cached((pack: Pack) => {
  const found = new Map<AskedEvent, { waiting: State | undefined; askers: Asker[] }>();
  if (!areNamesClear(pack)) return found;
  const waiting = new Map<string, State>();
  const running = new Map<Prompt, State[]>();
  for (const state of pack.workflow?.states ?? []) {
    for (const { event } of state.transitions) getOrCreate(waiting, event.text, () => state);
    if (state.prompt !== undefined) appendTo(running, state.prompt, state);
  }
  const inSteps = new Set(pack.steps.map(({ promptTask }) => promptTask?.text));
  const otherNames = lazy(() => new Set(namesOfOtherThings(pack)));
  const guess = createGuesser();
  let pairsLeft = maxPairs;
  for (const [prompt, states] of running) {
    if (inSteps.has(prompt.key.text) || !prompt.hasAllVariables) continue;
    const events = new Set(states.flatMap(({ transitions }) => transitions.map(({ event }) => event.text)));
    const seen = new Set<string>();
    for (const asked of askedIn(pack, prompt)) {
      if (--pairsLeft < 0) return found;
      const { name, isCertain } = asked;
      if (events.has(name) || seen.has(name) || prompt.declared.has(name) || otherNames().has(name)) continue;
      const near = guess(name, events);
      // A prompt that has no events to ask for may emit anything else.
      const isEvent = waiting.has(name) || near !== undefined || (isCertain && events.size > 0);
      if (!isEvent) continue;
      seen.add(name);
      const entry = getOrCreate(found, asked, () => ({ waiting: waiting.get(name), askers: [] }));
      const onlyNear = near && uniqueNearestName(name, events);
      entry.askers.push({ prompt, states, near, onlyNear });
    }
  }
  return found;
});

function* askedIn(pack: Pack, prompt: Prompt): Generator<AskedEvent> {
  for (const text of completeTextsOf(pack, prompt) ?? []) yield* eventReaderOf(pack)(text).asked.values();
}

/** The events that a prompt asks for by a misspelled name. */
export const misspeltEvents = cached((pack: Pack): ReadonlyMap<Prompt, ReadonlySet<string>> => {
  const misspelt = new Map<Prompt, Set<string>>();
  for (const { askers } of unknownEvents(pack).values())
    for (const { prompt, near } of askers)
      if (near !== undefined) getOrCreate(misspelt, prompt, () => new Set<string>()).add(near);
  return misspelt;
});

/** Whether all events are known, and all names of other things. */
function areNamesClear({ workflow, tools, hasAllTools, toolUse, steps }: Pack): boolean {
  return (
    workflow?.areClear("prompt_task", "on_event", "orchestration") === true &&
    workflow.states.every(({ hasAllArtifacts }) => hasAllArtifacts) &&
    hasAllTools &&
    [...tools.values()].every(({ isClear }) => isClear("parameters")) &&
    !toolUse.unclear &&
    steps.every(({ isClear }) => isClear("prompt_task"))
  );
}

/** Except for variables, which belong to single prompts. */
function* namesOfOtherThings(pack: Pack): Generator<string> {
  const { tools, toolUse, prompts, artifacts, workflow, agents } = pack;
  for (const { key, name, parameters } of tools.values())
    yield* [key.text, name?.text ?? key.text, ...keysBelow(parameters)];
  yield* [...prompts.keys(), ...artifacts.declared.keys()];
  for (const { name } of [...toolUse.listed, ...toolUse.ofSteps]) yield name.text;
  for (const { name } of [...(workflow?.states ?? []), ...agents.members]) yield name.text;
}

function* keysBelow(node: Node | undefined): Generator<string> {
  if (node?.kind === "sequence") for (const item of node.items) yield* keysBelow(item);
  if (node?.kind !== "mapping") return;
  for (const { key, value } of node.entries) {
    yield key.text;
    yield* keysBelow(value);
  }
}
