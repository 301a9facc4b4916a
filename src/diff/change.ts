import type { Place, Trace } from "../diagnostic.js";
import { capitalize } from "../text/wording.js";
import type { ValueDifference } from "./values.js";

/** Breaking: somebody who relied on the old pack fails. Behaviour: it does other things than before. */
export const changeLevels = ["breaking", "behaviour", "compatible"] as const;
export type ChangeLevel = (typeof changeLevels)[number];

export interface Sides<T> {
  readonly old: T;
  readonly new: T;
}

export function mapSides<T, Result>(sides: Sides<T>, of: (each: T) => Result): Sides<Result> {
  return { old: of(sides.old), new: of(sides.new) };
}

export interface Change {
  readonly rule: string;
  readonly level: ChangeLevel;
  /** The file that `at` is in: the old one for what is gone. */
  readonly side: "old" | "new";
  readonly at: Place;
  readonly message: string;
  /** Whether it is something new, which takes a minor version at least. */
  readonly adds?: boolean;
  readonly prompt?: string;
  /** The shortest runs that differ. */
  readonly traces?: Sides<Trace>;
}

/** Every change that `diff` reports, by level; some keys say what the level depends on. */
const texts = {
  breaking: {
    "pack-id-changed": "The pack has another id: publish it as a new pack, or keep the id.",
    "prompt-removed": "A prompt is gone, or has another key: keep it while somebody runs it.",
    "variable-required": "Callers of a prompt must give a variable that they could leave out before.",
    "variable-narrowed": "A variable no longer accepts some values, by its type, enum or validation.",
    "tool-added": "A tool is called that nothing in the old pack used: provide it in every host first.",
    "artifact-removed": "No state declares the artifact any more: whoever reads it finds nothing.",
    "artifact-type-changed": "An artifact has another type: a new artifact would break no reader.",
    "agent-removed": "An agent is gone, or has another name: keep it while somebody calls it.",
    "agent-modes-narrowed": "An agent no longer reads or writes some MIME type.",
    "eval-removed": "An eval is gone, disabled, or has another id: change the dashboards first.",
    "metric-changed": "The metric of an eval has another name, type or range, or is gone.",
    "provider-required": "The pack needs a provider, or another kind of it: provide it in every host first.",
    "composition-removed": "A composition is gone, or has another name: keep it while somebody runs it.",
    "state-renamed": "A state has another name, and nothing else changed: saved runs in it cannot go on.",
    "state-removed": "A state that runs could enter is gone: keep it until saved runs have left it.",
    "no-longer-completes": "Runs from a state in which runs start could complete, and cannot now.",
  },
  behaviour: {
    "variable-removed": "A prompt no longer has a variable: callers may go on giving it, without effect.",
    "variable-default-changed": "Callers that leave a variable out get another value.",
    "tools-of-prompt-changed": "A prompt may call other tools of those that the pack used before.",
    "template-changed": "A model is given another text, fragments included. White space does not count.",
    "settings-changed":
      "A setting of a prompt, tool, state, artifact, agent, provider, the workflow or the pack changed.",
    "composition-changed": "A composition runs other steps, or a state runs another composition.",
    "leads-elsewhere": "Some events lead to another state than before. The shortest run is shown.",
    "worst-case-grew": "The longest run makes more entries, or never has to end: set max_visits or a budget.",
    "budget-changed": "The workflow has another budget: check that the longest useful run fits.",
  },
  compatible: {
    "prompt-added": "A prompt is new.",
    "variable-widened": "A variable accepts more values, or callers may leave it out.",
    "variable-added": "A prompt has a new variable, which callers may leave out.",
    "artifact-added": "A state declares a new artifact.",
    "agent-added": "An agent is new.",
    "eval-added": "An eval is new, or enabled now.",
  },
  "breaking where a call may have or lack what it did not; behaviour for a new parameter; else compatible": {
    "tool-parameters-changed": "A tool is called with other arguments: first change what implements it.",
  },
  "breaking to external, else behaviour": {
    "orchestration-changed": "Something else drives a state; an external one waits for events of the host.",
  },
  "breaking where the host or a composition sends the event, else behaviour": {
    "event-refused":
      "The old workflow takes some events that the new one does not. The shortest run is shown.",
  },
  "behaviour where the model chooses the event, else compatible": {
    "event-added": "The new workflow takes some events that the old one did not. The shortest run is shown.",
  },
  "breaking where the old run completed or went on, else behaviour": {
    "ends-differently": "After some events only one run has ended, or in another way. The shortest is shown.",
  },
  error: {
    "version-not-raised":
      "The version of the pack rises with its changes: major for a breaking one, minor for other behaviour or something new, patch for the rest; before 1.0.0 minor, patch, patch.",
  },
  warning: {
    "prompt-version-not-raised": "The version of a prompt rises likewise with its text, variables and tools.",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Findings about versions have a severity for a level; the text is the change and the advice. */
export const changeCatalogue = Object.entries(texts).flatMap(([level, ofLevel]) =>
  Object.entries(ofLevel).map(([id, text]) => ({ id, level, text })),
);
export type ChangeInfo = (typeof changeCatalogue)[number];

export type ChangeRule = { [Level in ChangeLevel]: keyof (typeof texts)[Level] }[ChangeLevel];

const levels = new Map(
  changeLevels.flatMap((level) => Object.keys(texts[level]).map((rule) => [rule, level] as const)),
);

const consequences: Partial<Record<ChangeRule, string>> = {
  "pack-id-changed": ": whoever loads it by its id no longer finds it",
  "prompt-removed": ": whoever runs it fails",
  "composition-removed": ": whoever runs it fails",
  "agent-removed": ": whoever calls it fails",
  "artifact-removed": ": whoever reads it finds nothing",
  "eval-removed": ": whoever reads its results finds none",
  "variable-removed": ": what callers give for it is ignored",
  "variable-required": ": callers must give it",
  "provider-required": ": the host must provide it",
  "tool-added": ": the host must provide it",
  "state-removed": ": saved runs that are in it cannot go on",
  "state-renamed": ": saved runs that are in it cannot go on",
};

/** `words` are a sentence without its capital and full stop. */
export function createChange(rule: ChangeRule, side: Change["side"], at: Place, words: string): Change {
  const level = levels.get(rule) ?? "breaking";
  const message = `${capitalize(words)}${consequences[rule] ?? ""}.`;
  return { rule, level, side, at, message, ...(rule.endsWith("-added") && { adds: true }) };
}

const mostReasons = 6;

export function createJointChange(rule: ChangeRule, words: string, differences: readonly ValueDifference[]) {
  const [first] = differences;
  const reasons = differences.slice(0, mostReasons).map(({ name, predicate }) => `"${name}" ${predicate}`);
  if (differences.length > mostReasons) reasons.push("and more");
  return first === undefined
    ? []
    : [createChange(rule, first.side, first.at, `${words}: ${reasons.join(", ")}`)];
}

interface Section<Member> {
  /** `prompt "a"`. */
  readonly title: (name: string) => string;
  /** Undefined if an addition is not a change. */
  readonly added: (member: Member) => ChangeRule | undefined;
  readonly removed: ChangeRule;
  readonly placeOf: (member: Member) => Place;
  readonly compare: (old: Member, member: Member, title: string) => Iterable<Change>;
}

export function* compareMembers<Member>(
  before: ReadonlyMap<string, Member>,
  after: ReadonlyMap<string, Member>,
  { title, added, removed, placeOf, compare }: Section<Member>,
): Iterable<Change> {
  for (const [name, member] of after) {
    const old = before.get(name);
    const rule = added(member);
    if (old !== undefined) yield* compare(old, member, title(name));
    else if (rule !== undefined) yield createChange(rule, "new", placeOf(member), `${title(name)} is new`);
  }
  for (const [name, member] of before)
    if (!after.has(name)) yield createChange(removed, "old", placeOf(member), `${title(name)} is gone`);
}
