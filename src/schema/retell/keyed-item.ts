import { gluedText } from "../../document/glued-key.js";
import { type Entry, isNull, type MappingNode, type Node } from "../../document/node.js";
import { isDescribing } from "../../meant/homes.js";
import { isTypeOf, namingIn, placeBelowName } from "../below-name.js";
import { quoted } from "../show-value.js";
import { nounOf } from "../thing.js";
import { isType } from "../type-names.js";
import type { SchemaError } from "../validator.js";
import { type ByName, type Mistake, muddlesIn, type Scene } from "./retold.js";
import { isMisspelt } from "./unindented-lines.js";

/** `- company: {type: string}` or `- company: string`, where an item has its name inside: that is one fault. */
export function* keyedItems(errors: readonly SchemaError[], scene: Scene): Iterable<Mistake> {
  for (const { node: item, lacking, unknown } of muddlesIn(errors, scene)) {
    if (typeof item.key !== "number") continue;
    for (const [name, told] of unknown) {
      const entry = item.entry(name);
      const naming = namingIn(told.parentSchema);
      if (entry === undefined || naming === undefined || !lacking.has(naming)) continue;
      if (isMisspelt(name, told) || !standsFor(naming, entry, item, lacking)) continue;
      const place = placeBelowName([entry.value], told.parentSchema, nounOf(item));
      const rest = place === undefined ? "" : `, and ${place}`;
      const advice = `Write ${quoted(name)} as its ${quoted(naming)}${rest}.`;
      yield { told, said: { advice }, implied: toldBy(entry.value, item, naming, lacking) };
    }
  }
}

/** Whether the only property of an item stands for the one that names it, or the first, which has no value. */
function standsFor(
  naming: string,
  { key, value }: Entry,
  { entries }: MappingNode,
  missing: ByName,
): boolean {
  // `name language` lacks its colon.
  if ([...missing.keys()].some((property) => key.text.startsWith(`${property} `))) return false;
  // An empty `title` waits for its value.
  if (isNull(value))
    return entries[0]?.key === key && !isDescribing(key.text) && gluedText(value) === undefined;
  if (entries.length > 1) return false;
  return value.kind === "mapping"
    ? value.get(naming) === undefined
    : naming !== "type" && missing.has("type") && isType(value);
}

function toldBy(inside: Node, item: MappingNode, naming: string, missing: ByName): readonly SchemaError[] {
  const isTold = (property: string) =>
    property === naming ||
    (inside.kind === "mapping"
      ? inside.get(property) !== undefined
      : property === "type" && isTypeOf(inside, nounOf(item)));
  return [...missing].flatMap(([property, error]) => (isTold(property) ? error : []));
}
