import type { Key, MappingNode, Node } from "../document/node.js";
import { asMapping, Text, textsOf } from "../document/spelled-values.js";
import type { Unclear } from "../schema/unclear.js";

/** The agents of a pack (RFC 0007, RFC 0011). */
export interface Agents {
  readonly entry: Text | undefined;
  readonly members: readonly Member[];
  /** Those that keep to the schema: what rules look into. */
  readonly clearMembers: readonly Member[];
  /** False while `agents` or `members` breaks the schema: any prompt may then be a member. */
  readonly hasAllMembers: boolean;
  readonly memberNamed: (name: string) => Member | undefined;
}

export interface Member {
  /** Also the key of its prompt. */
  readonly name: Key;
  readonly isUnclear: boolean;
  readonly state: Text | undefined;
  readonly tags: readonly Text[];
  readonly inputModes: readonly Text[];
  readonly outputModes: readonly Text[];
}

export function readAgents(root: MappingNode, unclear: Unclear): Agents {
  const node = asMapping(root.get("agents"));
  const members = (asMapping(node?.get("members"))?.entries ?? []).map(({ key, value }) =>
    readMember(key, value, unclear),
  );
  const byName = new Map(members.map((member) => [member.name.text, member]));
  return {
    entry: Text.of(node?.get("entry")),
    members,
    clearMembers: members.filter(({ isUnclear }) => !isUnclear),
    hasAllMembers: !unclear.hasProperty(node ?? root, node === undefined ? "agents" : "members"),
    memberNamed: (name) => byName.get(name),
  };
}

function readMember(name: Key, value: Node, unclear: Unclear): Member {
  const node = asMapping(value);
  return {
    name,
    isUnclear: unclear.has(value),
    state: Text.of(node?.get("state")),
    tags: textsOf(node?.get("tags")),
    inputModes: textsOf(node?.get("input_modes")),
    outputModes: textsOf(node?.get("output_modes")),
  };
}
