import { isDoubled, isNull, type Key, type MappingNode, type Node } from "../document/node.js";
import { indented } from "../meant/indented.js";
import { fields, spelledMapping, unlessEmpty } from "../meant/spelled.js";
import { withStrays } from "../meant/strays.js";
import { hasProperty, isKnown, Text, textsOf } from "../document/spelled-values.js";

/** The agents of a pack (RFC 0007, RFC 0011). */
export interface Agents {
  readonly entry: Text | undefined;
  readonly members: readonly Member[];
  /** Whether the sections could be read and are written once, or there are none; otherwise any prompt may be a member. */
  readonly hasAllMembers: boolean;
  readonly memberNamed: (name: string) => Member | undefined;
}

export interface Member {
  /** Also the key of its prompt. */
  readonly name: Key;
  readonly state: Text | undefined;
  /** Whether it may have a state that could not be read. */
  readonly stateUnclear: boolean;
  readonly tags: readonly Text[];
  readonly inputModes: readonly Text[];
  readonly outputModes: readonly Text[];
}

export function readAgents(written: Node | undefined, isPrompt: (name: string) => boolean): Agents {
  const node = spelledMapping(written, fields.agents);
  const section = unlessEmpty(
    withStrays(indented(node?.get("members"), "agent"), "agent", [[node, fields.agents]], isPrompt),
  );
  const members = (section?.entries ?? []).map(({ key, value }) => readMember(key, value, node));
  const byName = new Map(members.map((member) => [member.name.text, member]));
  return {
    entry: Text.of(node?.get("entry")),
    members,
    hasAllMembers: written === undefined || (isKnown(section, "mapping") && !isDoubled(written)),
    memberNamed: (name) => byName.get(name),
  };
}

function readMember(name: Key, value: Node, agents: MappingNode | undefined): Member {
  const node = spelledMapping(value, fields.agent);
  const state = node?.get("state");
  // Of a member of which nothing but the name is written, it may stand outside of the members.
  const outside = [agents, agents?.parent].some((holder) => hasProperty(holder, "state"));
  const isRead = node !== undefined || (isNull(value) && !outside);
  return {
    name,
    state: Text.of(state),
    stateUnclear: !isRead || isDoubled(value) || (state !== undefined && Text.once(state) === undefined),
    tags: textsOf(node?.get("tags")),
    inputModes: textsOf(node?.get("input_modes")),
    outputModes: textsOf(node?.get("output_modes")),
  };
}
