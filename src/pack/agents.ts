import { isDoubled, type Key, type MappingNode, type Node, placeOf } from "../document/node.js";
import type { Place } from "../diagnostic.js";
import { fields, spelled } from "./spelled.js";
import { asMapping, isKnown, Text, textsOf } from "../document/spelled-values.js";

/** The agents of a pack (RFC 0007, RFC 0011). */
export interface Agents {
  readonly at: Place;
  readonly entry: Text | undefined;
  /** Absent when the section is missing or is no object. */
  readonly members: readonly Member[] | undefined;
  /** Whether the section could be read and is written once; otherwise any prompt may be a member. */
  readonly hasAllMembers: boolean;
  readonly memberNamed: (name: string) => Member | undefined;
}

export interface Member {
  /** Also the key of its prompt. */
  readonly name: Key;
  readonly node: MappingNode | undefined;
  readonly state: Text | undefined;
  readonly tags: readonly Text[];
  readonly inputModes: readonly Text[];
  readonly outputModes: readonly Text[];
}

export function readAgents(written: MappingNode): Agents {
  const node = spelled(written, fields.agents);
  const section = node.get("members");
  const members = asMapping(section)?.entries.map(({ key, value }) => readMember(key, value));
  const byName = new Map(members?.map((member) => [member.name.text, member]));
  return {
    at: placeOf(written),
    entry: Text.of(node.get("entry")),
    members,
    hasAllMembers: isKnown(section, "mapping") && !isDoubled(written),
    memberNamed: (name) => byName.get(name),
  };
}

function readMember(name: Key, value: Node): Member {
  const written = asMapping(value);
  const node = written && spelled(written, fields.agent);
  return {
    name,
    node: written,
    state: Text.of(node?.get("state")),
    tags: textsOf(node?.get("tags")),
    inputModes: textsOf(node?.get("input_modes")),
    outputModes: textsOf(node?.get("output_modes")),
  };
}
