import { isAmongArtifacts, stateNamesAround } from "./among-artifacts.js";
import { type Entry, isNull, Key, MappingNode, type Node, ScalarNode } from "../document/node.js";
import { isAroundArtifact, isEventOf, isValueOfProperty } from "./state-words.js";
import { meantProperty } from "./meant-property.js";
import { asMapping, Text } from "../document/spelled-values.js";
import { fields, withEntries } from "./spelled.js";
import { statesWithin } from "./strays.js";

/**
 * A state as its author meant it: an event beside `on_event` counts as one in it, and a property in it or among the
 * artifacts as one beside it; other states are no part of it. Each is reported elsewhere; what would follow from it is
 * not worth a word.
 */
export function meantState(state: MappingNode): MappingNode {
  return withEvents(withStrayProperties(withoutStates(state)));
}

function withoutStates(state: MappingNode): MappingNode {
  const strays = new Set(statesWithin(state));
  if (strays.size === 0) return state;
  const entries = state.entries.map((entry) => {
    const { key, value } = entry;
    if (value.kind !== "mapping" || !value.entries.some((part) => strays.has(part))) return entry;
    const own = value.entries.filter((part) => !strays.has(part));
    // Of events that are all states it is not known where they lead.
    const isUnclear = own.length === 0 && key.text === "on_event";
    return { key, value: isUnclear ? new ScalarNode(value.start, value.end, null) : withEntries(value, own) };
  });
  return withEntries(state, entries);
}

function withStrayProperties(state: MappingNode): MappingNode {
  const artifacts = asMapping(state.get("artifacts"));
  const strays = artifacts?.entries.flatMap((entry) =>
    isAmongArtifacts(entry) ? entry : propertiesIn(entry.value),
  );
  if (artifacts === undefined || strays === undefined || strays.length === 0) return state;
  const own = artifacts.entries.filter((entry) => !isAmongArtifacts(entry));
  const others = state.entries.map(({ key, value }) => ({
    key,
    value: value === artifacts ? withEntries(value, own) : value,
  }));
  return withEntries(state, [...others, ...strays.filter(({ key }) => state.get(key.text) === undefined)]);
}

/** What stands in an artifact and is a property of its state. */
function propertiesIn(artifact: Node): readonly Entry[] {
  return asMapping(artifact)?.entries.filter(({ key }) => isAroundArtifact(key.text)) ?? [];
}

function withEvents(state: MappingNode): MappingNode {
  const onEvent = state.entry("on_event");
  const events = eventsOf(onEvent?.value);
  if (events === undefined) return state;
  const isState = stateNamesAround(state);
  const isStray = (entry: Entry) => isStrayEvent(state, entry);
  const isProperty = (entry: Entry) => isStrayProperty(entry, isState);
  if (!events.some(isProperty) && !state.entries.some(isStray)) return state;
  const strays = state.entries.filter(isStray);
  const kept = events.filter((entry) => !isProperty(entry));
  const others = state.entries.filter((entry) => entry !== onEvent && !isStray(entry));
  const properties = events.filter((entry) => isProperty(entry) && state.get(entry.key.text) === undefined);
  const meant = eventsEntry(onEvent ?? strays[0], [...kept, ...strays]);
  return withEntries(state, [...others, ...properties, ...meant]);
}

/** None where there are none, or nothing is written behind the colon; not known where it is something else. */
function eventsOf(value: Node | undefined): readonly Entry[] | undefined {
  if (value?.kind === "mapping") return value.entries;
  return value === undefined || isNull(value) ? [] : undefined;
}

/** The strings among the events that are properties of the state: the schema takes them for events. */
export function strayProperties(state: MappingNode): readonly Entry[] {
  const isState = stateNamesAround(state);
  return (eventsOf(state.get("on_event")) ?? []).filter(
    (entry) => Text.of(entry.value) !== undefined && isStrayProperty(entry, isState),
  );
}

type IsState = (name: string) => boolean;

/** Whether an entry that a state does not know is one of its events, and no misspelt property that it lacks. */
export function isStrayEvent(state: MappingNode, { key, value }: Entry): boolean {
  if (value.kind !== "scalar" || fields.state.has(key.text)) return false;
  if (!isEventOf(key.text, value.value, stateNamesAround(state))) return false;
  const lacking = [...fields.state].filter((name) => state.entry(name) === undefined);
  return meantProperty(key.text, lacking) === undefined;
}

/** A misspelt state may be one to which an event leads that is called so; no event leads to anything but a name. */
function isStrayProperty({ key, value }: Entry, isState: IsState): boolean {
  if (value.kind !== "scalar" || !isValueOfProperty(key.text, value.value)) return false;
  return typeof value.value !== "string" || !isState(value.value);
}

/** Where nothing says `on_event`, the first of the events stands for it. */
function eventsEntry(at: Entry | undefined, events: readonly Entry[]): readonly Entry[] {
  if (at === undefined) return [];
  const { start, end, parent } = at.value;
  const value = new MappingNode(start, end, events);
  const key = new Key("on_event", at.key.start, at.key.end);
  key.value = at.value;
  value.parent = parent;
  value.key = at.key;
  return [{ key, value }];
}
