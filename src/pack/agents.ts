import {
  asMapping,
  type Key,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
} from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";

/** RFC 0007 and RFC 0011. */
export interface Agents {
  readonly entry: LocatedString | undefined;
  readonly members: readonly AgentMember[];
  readonly clearMembers: readonly AgentMember[];
  /** False while `agents` or `members` breaks the schema: any prompt may then be a member. */
  readonly hasAllMembers: boolean;
  readonly memberNamed: (name: string) => AgentMember | undefined;
}

export interface AgentMember {
  /** Also the key of its prompt. */
  readonly name: Key;
  readonly isUnclear: boolean;
  readonly state: LocatedString | undefined;
  readonly tags: readonly LocatedString[];
  readonly inputModes: readonly LocatedString[];
  readonly outputModes: readonly LocatedString[];
}

export function readAgents(root: MappingNode, unclear: Unclear): Agents {
  const node = asMapping(root.get("agents"));
  const members = (asMapping(node?.get("members"))?.entries ?? []).map(({ key, value }) =>
    readMember(key, value, unclear),
  );
  const byName = new Map(members.map((member) => [member.name.text, member]));
  return {
    entry: LocatedString.of(node?.get("entry")),
    members,
    clearMembers: members.filter(({ isUnclear }) => !isUnclear),
    hasAllMembers: !unclear.hasProperty(node ?? root, node === undefined ? "agents" : "members"),
    memberNamed: (name) => byName.get(name),
  };
}

function readMember(name: Key, value: Node, unclear: Unclear): AgentMember {
  const node = asMapping(value);
  return {
    name,
    isUnclear: unclear.has(value),
    state: LocatedString.of(node?.get("state")),
    tags: locatedStringsOf(node?.get("tags")),
    inputModes: locatedStringsOf(node?.get("input_modes")),
    outputModes: locatedStringsOf(node?.get("output_modes")),
  };
}
