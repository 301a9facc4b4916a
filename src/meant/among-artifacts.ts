import { isAroundArtifact, isEventOf, isValueOfProperty } from "./state-words.js";
import { type Entry, isNull, type MappingNode } from "../document/node.js";
import { hasProperty } from "../document/spelled-values.js";
import { isMade } from "./spelled.js";

/** Whether what stands among the artifacts of a state is a part of that state; an artifact may be called like one. */
export function isAmongArtifacts(entry: Entry): boolean {
  return isPropertyAmongArtifacts(entry) || isEventAmongArtifacts(entry);
}

export function isPropertyAmongArtifacts({ key, value }: Entry): boolean {
  if (!isAroundArtifact(key.text)) return false;
  if (key.text === "on_event" && isNull(value)) return true;
  if (value.kind === "scalar") return isValueOfProperty(key.text, value.value);
  return key.text === "on_event" && value.kind === "mapping" && value.get("type") === undefined;
}

/** With a type it is an artifact, whatever else it has. */
export function isStateAmongArtifacts({ value }: Entry): boolean {
  return isMade(value, "state") && value.get("type") === undefined;
}

/** An event of the state, for want of the line with `on_event`: called like one, and leading to a state. */
export function isEventAmongArtifacts({ key, value }: Entry): boolean {
  const state = value.parent?.parent;
  if (value.kind !== "scalar" || state?.kind !== "mapping") return false;
  return isEventOf(key.text, value.value, stateNamesAround(state));
}

export function stateNamesAround({ parent: states }: MappingNode): (name: string) => boolean {
  return (name) => hasProperty(states, name);
}
