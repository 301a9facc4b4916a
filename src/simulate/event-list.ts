import { tryTo } from "../text/collections.js";
import { BadInput } from "../text/wording.js";

export interface Assignment<Value = string> {
  readonly name: string;
  readonly value: Value;
}

/** How a branch of a composition turns out: yes is true. */
export type BranchAnswer = Assignment<boolean>;

export interface Spending {
  readonly toolCalls: number;
  readonly seconds: number;
}

/** An event, and what the state writes, uses up and decides before it. */
export interface ScriptedEvent {
  readonly event: string;
  readonly assignments: Assignment[];
  readonly spending: Spending[];
  readonly answers: BranchAnswer[];
}

function scriptedEvent(event: string): ScriptedEvent {
  return { event, assignments: [], spending: [], answers: [] };
}

export interface Script {
  readonly root?: string;
  readonly agent?: string;
  readonly events: readonly ScriptedEvent[];
}

/** Lists of events, or one run as `paths` prints it: `{"root":"plan","events":["PlanReady","CodeReady"]}`. */
export function parseScript(texts: readonly string[]): Script {
  const path = texts.find((text) => text.trimStart().startsWith("{"));
  if (path === undefined) return { events: texts.flatMap(parseEventList) };
  if (texts.length > 1) throw new BadInput("A run in JSON cannot be combined with other events.");
  // JSON that begins with a brace is an object.
  const { root, agent, events } =
    tryTo(() => JSON.parse(path) as Partial<Record<keyof Script, unknown>>) ?? {};
  const names = Array.isArray(events) ? events.filter((event) => typeof event === "string") : [];
  const isRun = Array.isArray(events) && names.length === events.length && typeof root === "string";
  if (!isRun || (agent !== undefined && typeof agent !== "string"))
    throw new BadInput(
      'The events are no run in JSON: write {"root":"a","events":["A","B"]}, or \\{ where a brace begins the name of an event.',
    );
  return {
    root,
    ...(agent !== undefined && { agent }),
    events: names.map(scriptedEvent),
  };
}

/** Up to a stop, without the spaces around it that are not escaped. */
const eventName = /\s*((?:\\.|[^\\,[]|\\$)*?)\s*(?=[,[]|$)/suy;
const partName = /\s*((?:\\.|[^\\\]=]|\\$)*?)\s*(?=[\]=]|$)/suy;
const spaces = /\s*()/uy;

/**
 * `PlanReady[tools 3][seconds 20],CodeReady[commit_sha=abc123],TestsFailed[test_report=2/5 pass][log=…]`, and
 * `Sorted[urgent no]` for a branch of the state's composition. Whitespace around names is ignored, brackets in a value must be balanced, and a backslash escapes the next character.
 */
export function parseEventList(text: string): readonly ScriptedEvent[] {
  const events: ScriptedEvent[] = [];
  let at = 0;
  const read = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [all = "", name = ""] = pattern.exec(text) ?? [];
    at += all.length;
    return unescaped(name);
  };
  const consume = (character: string): boolean => {
    const isNext = text[at] === character;
    if (isNext) at++;
    return isNext;
  };
  while (at < text.length) {
    const scripted = scriptedEvent(read(eventName));
    const isBare = text[at] !== "[";
    for (; consume("["); read(spaces)) {
      const name = read(partName);
      const spent = parseSpending(name);
      const answer = parseAnswer(name, " ");
      if (consume("=")) {
        const end = endOfValue(text, at);
        const value = unescaped(text.slice(at, end));
        at = end;
        if (text[at] !== "]")
          throw new BadInput(
            `"[${name}=${value}" in the events is not closed: add "]", or write \\[ for a lone bracket in a value.`,
          );
        scripted.assignments.push({ name, value });
      } else if (text[at] === "]" && spent !== undefined) scripted.spending.push(spent);
      else if (text[at] === "]" && answer !== undefined) scripted.answers.push(answer);
      else
        throw new BadInput(
          `"[${name}]" in the events is not an assignment: write [name=value], [tools 3], [seconds 20], or [branch no].`,
        );
      at++;
    }
    if (at < text.length && !consume(","))
      throw new BadInput(
        `"${text.slice(at)}" in the events follows a "]": put a comma between two events, or write \\] if the bracket is part of a value.`,
      );
    if (scripted.event === "" && isBare && at >= text.length && events.length > 0) break;
    if (scripted.event === "") throw new BadInput("There is an empty name among the events.");
    events.push(scripted);
  }
  return events;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gsu, "$1");
}

/** Where the bracket is that closes more than was opened, or the end of the text. */
function endOfValue(text: string, start: number): number {
  let open = 0;
  for (const { 0: sign, index } of text.slice(start).matchAll(/\\.|[[\]]/gsu)) {
    if (sign === "]" && open === 0) return start + index;
    open += Number(sign === "[") - Number(sign === "]");
  }
  return text.length;
}

export function parseSpending(text: string): Spending | undefined {
  const [, what, digits] = /^(tools|seconds)\s+(\d{1,9})$/u.exec(text) ?? [];
  const [toolCalls, seconds] = what === "tools" ? [Number(digits), 0] : [0, Number(digits)];
  return what === undefined ? undefined : { toolCalls, seconds };
}

/** `urgent no` or, with another separator, `urgent=no`; undefined for anything else. */
export function parseAnswer(text: string, separator: " " | "="): BranchAnswer | undefined {
  const at = text.lastIndexOf(separator);
  const value = parseYesOrNo(text.slice(at + 1));
  return at < 1 || value === undefined ? undefined : { name: text.slice(0, at).trim(), value };
}

export function parseYesOrNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return ["yes", "y"].includes(word) ? true : ["no", "n"].includes(word) ? false : undefined;
}

export function parseAssignment(text: string): Assignment {
  const equals = text.indexOf("=");
  if (equals < 1) throw new BadInput(`"${text}" is not an assignment: write name=value.`);
  return { name: text.slice(0, equals).trim(), value: text.slice(equals + 1) };
}
