import type { Words } from "../../diagnostic.js";
import {
  isAmongArtifacts,
  isEventAmongArtifacts,
  isPropertyAmongArtifacts,
  isStateAmongArtifacts,
} from "../../meant/among-artifacts.js";
import { type Entry, isNull, Key, type Node } from "../../document/node.js";
import { isMade } from "../../meant/spelled.js";
import { isStateProperty, strayPropertyWords } from "../../meant/state-words.js";
import { joined } from "../../words/wording.js";
import { besideArtifacts } from "../place-words.js";
import { quoted } from "../show-value.js";
import { nounOf } from "../thing.js";
import { groupedBy, type Mistake, type Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

/** What stands in `on_event` and leads nowhere, as it is no event: a state, or a property of the state around it. */
export function notAnEvent(node: Node): Words | undefined {
  const owner = ownerOf(node, "on_event");
  if (owner === undefined || !isKey(node.key)) return undefined;
  if (isMade(node, "state")) return strayWords(node.key, "an event", owner);
  return isStateProperty(node.key.text) ? strayPropertyWords(node.key.text) : undefined;
}

const artifact = /^\/workflow\/states\/[^/]*\/artifacts\/[^/]*/;

/** A state among the artifacts of another, or a property of it, has nothing that an artifact has: that is one fault. */
export function* straysAmongArtifacts(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  // Most often there are none: then no path, which a name can make long, need be looked at.
  if (!hasStraysAmongArtifacts(nodeAt("/workflow/states"))) return;
  const byPart = groupedBy(errors, ({ instancePath }) => {
    const path = artifact.exec(instancePath)?.[0];
    const node = path === undefined ? undefined : nodeAt(path);
    // All events of a state were meant for one place.
    return node?.parent && isOfEvents(node, node.parent) ? node.parent : node;
  });
  for (const [part, [told, ...implied]] of byPart) {
    const said = nounOf(part) === "artifact" ? notAnArtifact(part) : eventWords(part);
    if (said !== undefined) yield { told, said, implied };
  }
}

function notAnArtifact(node: Node): Words | undefined {
  const owner = ownerOf(node, "artifacts");
  if (owner === undefined || !isKey(node.key)) return undefined;
  const entry = { key: node.key, value: node };
  if (isStateAmongArtifacts(entry)) return strayWords(node.key, "an artifact", owner);
  if (!isPropertyAmongArtifacts(entry)) return undefined;
  const message = `${quoted(node.key.text)} is a property of a state, not an artifact.`;
  return { message, advice: besideArtifacts(node.key.text, node.parent) };
}

/** An event among the artifacts, or `on_event` with nothing in it: what follows that should be indented further. */
function isOfEvents(value: Node, artifacts: Node): boolean {
  const { key } = value;
  if (!isKey(key)) return false;
  if (key.text === "on_event" && isNull(value)) return eventsAmong(artifacts).length > 0;
  return isEventAmongArtifacts({ key, value });
}

function eventsAmong(artifacts: Node): readonly Entry[] {
  return artifacts.kind === "mapping" ? artifacts.entries.filter(isEventAmongArtifacts) : [];
}

function eventWords(artifacts: Node): Words {
  const names = eventsAmong(artifacts).map(({ key }) => quoted(key.text));
  const isOne = names.length === 1;
  const claim = isOne
    ? "leads to a state: it is an event, not an artifact"
    : "lead to states: they are events, not artifacts";
  return {
    message: `${joined(names, "and")} ${claim}.`,
    advice: `Put ${isOne ? "it" : "them"} inside "on_event", beside "artifacts".`,
  };
}

function hasStraysAmongArtifacts(states: Node | undefined): boolean {
  if (states?.kind !== "mapping") return false;
  return states.entries.some(({ value: state }) => {
    const artifacts = state.kind === "mapping" ? state.get("artifacts") : undefined;
    if (artifacts?.kind !== "mapping") return false;
    return artifacts.entries.some((entry) => isStateAmongArtifacts(entry) || isAmongArtifacts(entry));
  });
}

/** The key of the state in whose part of that name a node stands. */
function ownerOf({ parent: part }: Node, name: string): Key | undefined {
  const state = part?.parent;
  if (!isKey(part?.key) || part.key.text !== name || !isKey(state?.key)) return undefined;
  return nounOf(state) === "state" ? state.key : undefined;
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
