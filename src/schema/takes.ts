import { Key, type Node } from "../document/node.js";
import { numberOf } from "../document/spelled-values.js";
import { capitalize, joinWords } from "../words/wording.js";
import { quoteValue } from "./show-value.js";
import { knows, type SchemaPart } from "./validator.js";

/** More names than this are for the documentation to tell. */
const mostNames = 6;

/** `A budget takes "max_total_visits" and "max_tool_calls".`, of an object that has few properties and no others. */
export function allowedKeysAdvice(
  kind: string,
  { properties = {}, additionalProperties }: SchemaPart,
): string | undefined {
  const names = Object.keys(properties);
  if (additionalProperties !== false || names.length > mostNames) return undefined;
  return `${capitalize(kind)} takes ${joinWords(names.map(quoteValue), "and")}.`;
}

/** `Write { min: 0, max: 1 }.`, of two numbers in the place of an object that has them by these names. */
export function boundsAdvice(node: Node, schema: SchemaPart, source: string): string | undefined {
  if (node.kind !== "sequence" || !knows(schema, "min") || !knows(schema, "max")) return undefined;
  const [min, max] = node.items.map(numberOf);
  if (node.items.length !== 2 || min === undefined || max === undefined) return undefined;
  // `.inf` is no number of the schema.
  if (min > max || !Number.isFinite(max - min)) return undefined;
  const quote = node.key instanceof Key && source.startsWith('"', node.key.start) ? '"' : "";
  return `Write { ${quote}min${quote}: ${min}, ${quote}max${quote}: ${max} }.`;
}
