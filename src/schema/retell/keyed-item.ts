import type { MappingNode, Node } from "../../document/node.js";
import { quoted } from "../show-value.js";
import { isType } from "../type-faults.js";
import type { SchemaError } from "../validator.js";
import { type ByName, type Mistake, muddlesIn, type Scene } from "./retold.js";
import { isMisspelt } from "./unindented-lines.js";

/** `- company: {type: string}` or `- company: string`, where an item has its name inside: that is one fault. */
export function* keyedItems(errors: readonly SchemaError[], scene: Scene): Iterable<Mistake> {
  for (const { node: item, lacking, unknown } of muddlesIn(errors, scene)) {
    if (typeof item.key !== "number") continue;
    for (const [name, told] of unknown) {
      const naming = isMisspelt(name, told) ? undefined : namingOf(item, name, lacking);
      if (naming === undefined) continue;
      const inside = item.get(name);
      const rest =
        inside?.kind === "scalar"
          ? `${quoted(String(inside.value))} as its "type"`
          : "what is inside it beside that";
      const advice = `Write ${quoted(name)} as its ${quoted(naming)}, and ${rest}.`;
      yield { told, said: { advice }, implied: toldInside(inside, naming, lacking) };
    }
  }
}

/** The property that names an item, where the only one it has stands for it. */
function namingOf(item: MappingNode, name: string, missing: ByName): string | undefined {
  const inside = item.get(name);
  const naming = ["name", "id", "type"].find((property) => missing.has(property));
  if (item.entries.length > 1 || naming === undefined || inside === undefined) return undefined;
  const isWithin =
    inside.kind === "mapping"
      ? inside.get(naming) === undefined
      : naming !== "type" && missing.has("type") && isType(inside);
  return isWithin ? naming : undefined;
}

function toldInside(inside: Node | undefined, naming: string, missing: ByName): readonly SchemaError[] {
  const isTold = (property: string) =>
    property === naming ||
    (inside?.kind === "mapping" ? inside.get(property) !== undefined : property === "type");
  return [...missing].flatMap(([property, error]) => (isTold(property) ? error : []));
}
