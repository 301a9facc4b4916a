import {
  asMapping,
  itemsOf,
  type Key,
  LocatedBoolean,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  placeOf,
} from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import { firstByKey } from "../text/collections.js";

/** RFC 0007 and RFC 0011. */
export type Agents = Readonly<ReturnType<typeof readAgents>>;
export type AgentMember = Readonly<ReturnType<typeof readMember>>;

export function readAgents(root: MappingNode, unclear: Unclear) {
  const node = asMapping(root.get("agents"));
  const entries = asMapping(node?.get("members"))?.entries ?? [];
  const members: readonly AgentMember[] = entries.map(({ key, value }) => readMember(key, value, unclear));
  const byName = new Map(members.map((member) => [member.name.text, member]));
  return {
    entry: LocatedString.of(unclear.get(node, "entry")),
    members,
    clearMembers: members.filter(({ isUnclear }) => !isUnclear),
    /** False while `agents` or `members` breaks the schema: any prompt may then be a member. */
    hasAllMembers: !unclear.hasProperty(node ?? root, node === undefined ? "agents" : "members"),
    memberNamed: (name: string) => byName.get(name),
  };
}

function readMember(name: Key, value: Node, unclear: Unclear) {
  const node = asMapping(value);
  return {
    /** Also the key of its prompt. */
    name,
    isUnclear: unclear.has(value),
    isClear: (field: string): boolean => unclear.isClear(node, field),
    state: LocatedString.of(unclear.get(node, "state")),
    tags: locatedStringsOf(unclear.get(node, "tags")),
    inputModes: locatedStringsOf(unclear.get(node, "input_modes")),
    outputModes: locatedStringsOf(unclear.get(node, "output_modes")),
  };
}

export const defaultProvider = "default";

export type Provider = NonNullable<Readonly<ReturnType<typeof readProvider>>>;

/** The models that a pack requires (RFC 0012). */
export function readProviders(root: MappingNode, unclear: Unclear) {
  const requires = asMapping(root.get("requires"));
  const items = itemsOf(requires?.get("providers"));
  const required = items.flatMap((item) => (unclear.has(item) ? [] : (readProvider(item, unclear) ?? [])));
  const byKey = firstByKey(required, ({ key }) => key.text);
  return {
    required,
    /** Whether every requirement is readable; otherwise any key may be declared. */
    hasAll:
      !unclear.hasProperty(root, "requires") &&
      (requires === undefined || unclear.isClearList(requires, "providers", "key")),
    named: (key: string) => byKey.get(key),
  };
}

function readProvider(item: Node, unclear: Unclear) {
  const node = asMapping(item);
  const short = LocatedString.of(item);
  const key = short ?? LocatedString.of(unclear.get(node, "key"));
  if (key === undefined) return undefined;
  /** `llm` for a requirement that is only a key; undefined where it is unclear. */
  const role = short === undefined ? LocatedString.of(unclear.get(node, "role"))?.text : "llm";
  const isOptional = LocatedBoolean.of(node?.get("required"))?.value === false;
  return { at: placeOf(item), key, role, isOptional };
}
