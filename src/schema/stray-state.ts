import type { Words } from "../diagnostic.js";
import { Key, type Node } from "../document/node.js";
import { isStateProperty, strayPropertyWords } from "../words/homes.js";
import { quoted } from "./show-value.js";
import { kindOfThing } from "./thing.js";
import type { Retold } from "./unindented.js";
import type { SchemaError } from "./validator.js";

/** What stands in `on_event` and leads nowhere, as it is no event: a state, or a property of the state around it. */
export function notAnEvent(node: Node): Words | undefined {
  const owner = ownerOf(node, "on_event");
  if (owner === undefined || !isKey(node.key)) return undefined;
  if (isState(node)) return strayWords(node.key, "an event", owner);
  return isStateProperty(node.key.text) ? strayPropertyWords(node.key.text) : undefined;
}

const artifact = /^\/workflow\/states\/[^/]*\/artifacts\/[^/]*/;

/** A state among the artifacts of another has nothing that an artifact has: that is one fault. */
export function withoutStatesAmongArtifacts(
  errors: readonly SchemaError[],
  nodeAt: (path: string) => Node | undefined,
): Retold {
  const words = new Map<SchemaError, Words>();
  // Most often there are none: then no path, which a name can make long, need be looked at.
  if (!hasStatesAmongArtifacts(nodeAt("/workflow/states"))) return { errors, words };
  const told = new Set<string>();
  const kept = errors.filter((error) => {
    const path = artifact.exec(error.instancePath)?.[0];
    if (path === undefined) return true;
    if (told.has(path)) return false;
    const node = nodeAt(path);
    const owner = node && ownerOf(node, "artifacts");
    if (owner === undefined || !isKey(node?.key) || !isStrayState(node)) return true;
    told.add(path);
    words.set(error, strayWords(node.key, "an artifact", owner));
    return true;
  });
  return { errors: kept, words };
}

function hasStatesAmongArtifacts(states: Node | undefined): boolean {
  if (states?.kind !== "mapping") return false;
  return states.entries.some(({ value: state }) => {
    const artifacts = state.kind === "mapping" ? state.get("artifacts") : undefined;
    return artifacts?.kind === "mapping" && artifacts.entries.some(({ value }) => isStrayState(value));
  });
}

/** The key of the state in whose part of that name a node stands. */
function ownerOf({ parent: part }: Node, name: string): Key | undefined {
  const state = part?.parent;
  if (!isKey(part?.key) || part.key.text !== name || !isKey(state?.key)) return undefined;
  return kindOfThing(state) === "a state" ? state.key : undefined;
}

function isState(node: Node): boolean {
  return node.kind === "mapping" && node.get("prompt_task") !== undefined;
}

/** With a type it is an artifact, whatever else it has. */
function isStrayState(node: Node): boolean {
  return isState(node) && node.kind === "mapping" && node.get("type") === undefined;
}

function strayWords(key: Key, instead: string, owner: Key): Words {
  return {
    message: `${quoted(key.text)} is a state, not ${instead}.`,
    advice: `Put it beside ${quoted(owner.text)}.`,
  };
}

function isKey(key: Node["key"] | undefined): key is Key {
  return key instanceof Key;
}
