import type { Node, ScalarNode } from "../document/node.js";
import { settingsFor } from "./misplaced-properties.js";
import { nearestProperty } from "./nearest-property.js";
import { quoteValue } from "./show-value.js";
import { isType } from "./type-names.js";
import { knows, type SchemaPart } from "./validator.js";
import type { Noun } from "./pack-places.js";

/** What tells things from each other, the most telling first. */
const identifying: readonly string[] = ["name", "id", "type", "model", "provider"];

/** The property that tells an item of a list from the others. */
export function identifyingProperty(item: SchemaPart): string | undefined {
  return identifyingProperties(item)[0];
}

/** The same, with what else a key may stand for. Many share a type: it names only what has no name. */
export function identifyingProperties(item: SchemaPart): readonly string[] {
  const known = identifying.filter((property) => knows(item, property));
  return known.filter((property, index) => index === 0 || property !== "type");
}

/** Where that belongs which stands below the names of items; nothing where there is none, or no place for it. */
export function placeForContent(
  insides: readonly Node[],
  item: SchemaPart,
  noun: Noun | undefined,
): string | undefined {
  if (insides.every((inside) => isVariableType(inside, noun))) return `${typeIn(insides)} as its "type"`;
  const names = insides.flatMap((inside) =>
    inside.kind === "mapping" ? inside.entries.map(({ key }) => key.text) : [],
  );
  if (names.length === 0) return undefined;
  const known = Object.keys(item.properties ?? {});
  const isStrange = (name: string) => !known.includes(name) && nearestProperty(name, known) === undefined;
  const homes = names.flatMap((name) => (isStrange(name) ? (settingsFor(name, noun) ?? []) : []));
  const [home] = homes;
  if (home === undefined) return "what is inside it beside that";
  return homes.length === names.length
    ? `what is inside it as its ${quoteValue(home)}`
    : `what is inside it beside that, with settings of its type inside ${quoteValue(home)}`;
}

function typeIn(types: readonly ScalarNode[]): string {
  const [first, ...others] = new Set(types.map(({ value }) => String(value)));
  return first === undefined || others.length > 0 ? "its value" : quoteValue(first);
}

/** Whether a value is the type of such a thing: what variables have is what values are. */
export function isVariableType(node: Node, noun: Noun | undefined): node is ScalarNode {
  return noun === "variable" && isType(node);
}
