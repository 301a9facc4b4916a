import type { Place } from "../diagnostic.js";
import {
  asMapping,
  itemsOf,
  LocatedBoolean,
  LocatedString,
  type MappingNode,
  type Node,
  placeOf,
} from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";

/** The models that a pack requires (RFC 0012). */
export interface Providers {
  /** In file order. */
  readonly required: readonly Provider[];
  /** Whether every requirement is readable; otherwise any key may be declared. */
  readonly hasAll: boolean;
  readonly named: (key: string) => Provider | undefined;
}

export interface Provider {
  readonly at: Place;
  readonly key: LocatedString;
  /** `llm` for a requirement that is only a key. */
  readonly role: string;
  readonly isOptional: boolean;
}

export const defaultProvider = "default";

export function readProviders(root: MappingNode, unclear: Unclear): Providers {
  const requires = asMapping(root.get("requires"));
  const items = itemsOf(requires?.get("providers"));
  const required = items.flatMap((item) => (unclear.has(item) ? [] : (readProvider(item) ?? [])));
  const byKey = new Map(required.toReversed().map((provider) => [provider.key.text, provider]));
  return {
    required,
    hasAll:
      required.length === items.length &&
      !unclear.hasProperty(root, "requires") &&
      (requires === undefined || !unclear.hasProperty(requires, "providers")),
    named: (key) => byKey.get(key),
  };
}

function readProvider(item: Node): Provider | undefined {
  const short = LocatedString.of(item);
  if (short !== undefined) return { at: placeOf(item), key: short, role: "llm", isOptional: false };
  const node = asMapping(item);
  const key = LocatedString.of(node?.get("key"));
  const role = LocatedString.of(node?.get("role"))?.text;
  if (key === undefined || role === undefined) return undefined;
  const isOptional = LocatedBoolean.of(node?.get("required"))?.value === false;
  return { at: placeOf(item), key, role, isOptional };
}
