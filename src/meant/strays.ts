import type { Entry, MappingNode, Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { isStateAmongArtifacts } from "./among-artifacts.js";
import { isEventName } from "../words/event-name.js";
import { fields, isMade, type Made, withEntries } from "./spelled.js";

/** What may hold a stray, and the properties that are its own. */
type Holder = readonly [node: Node | null | undefined, known: ReadonlySet<string>];

/**
 * The prompts, states, tools or agents with those that stand outside of their section, or inside a neighbour. The schema
 * says where they belong; what would follow from it is not worth a word. A tool or an agent needs little to be one:
 * `isNamed` says which names are given to one.
 */
export function withStrays(
  section: MappingNode | undefined,
  kind: Made,
  holders: readonly Holder[],
  isNamed: (name: string) => boolean = () => true,
): MappingNode | undefined {
  if (section === undefined) return undefined;
  const strays = new Map<string, Entry>();
  const waiting = section.entries.map(({ value }) => value);
  // Each name is followed once: an alias may repeat what it holds in any depth.
  const add = (entry: Entry): void => {
    if (section.entry(entry.key.text) !== undefined) return;
    if (!strays.has(entry.key.text)) waiting.push(entry.value);
    strays.set(entry.key.text, entry);
  };
  const collect = (node: Node | null | undefined, known: ReadonlySet<string>): void => {
    if (node?.kind !== "mapping") return;
    for (const entry of node.entries)
      if (!known.has(entry.key.text) && isMade(entry.value, kind) && isNamed(entry.key.text)) add(entry);
  };
  for (const [node, known] of holders) collect(node, known);
  for (const value of waiting) {
    collect(value, fields[kind]);
    if (kind === "state" && value.kind === "mapping") statesWithin(value).forEach(add);
  }
  if (strays.size === 0) return section;
  const entries = [...section.entries, ...strays.values()];
  return withEntries(
    section,
    entries.sort((a, b) => a.key.start - b.key.start),
  );
}

/** States that are indented so far that they stand among the events or the artifacts of the one before them. */
export function statesWithin(state: MappingNode): readonly Entry[] {
  const artifacts = entriesIn(state.get("artifacts"));
  return [...statesAmongEvents(entriesIn(state.get("on_event"))), ...artifacts.filter(isStateAmongArtifacts)];
}

/** Whether a state stands within another one that has no event for it: how it is entered is not known. */
export function holdsLooseState(state: MappingNode): boolean {
  const within = statesWithin(state);
  if (within.length === 0) return false;
  const targets = targetsOf(entriesIn(state.get("on_event")));
  return within.some(({ key }) => !targets.has(key.text));
}

/** What is called like an event may be one, with the state in the place of its name, unless another leads to it. */
function statesAmongEvents(events: readonly Entry[]): readonly Entry[] {
  const states = events.filter(({ value }) => isMade(value, "state"));
  if (states.length === 0) return [];
  const targets = targetsOf(events);
  return states.filter(({ key }) => !isEventName(key.text) || targets.has(key.text));
}

function targetsOf(events: readonly Entry[]): ReadonlySet<string | undefined> {
  return new Set(events.map(({ value }) => stringOf(value)));
}

function entriesIn(part: Node | undefined): readonly Entry[] {
  return part?.kind === "mapping" ? part.entries : [];
}

/** A section that is not theirs without the prompts in it, but for those that something takes for its own. */
export function withoutPrompts(
  section: Node | undefined,
  isTaken: (name: string) => boolean,
): Node | undefined {
  if (section?.kind !== "mapping") return section;
  const own = section.entries.filter(({ key, value }) => !isMade(value, "prompt") || isTaken(key.text));
  return own.length === section.entries.length ? section : withEntries(section, own);
}
