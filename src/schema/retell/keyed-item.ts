import type { MappingNode } from "../../document/node.js";
import { without } from "../merge-errors.js";
import { quoted } from "../show-value.js";
import type { SchemaError } from "../validator.js";
import { type ByName, muddlesIn, type Retold, type Said, type Scene } from "./retold.js";
import { isMisspelt } from "./unindented-lines.js";

/** `- company: {type: string}`, where a list has items that have their names inside: that is one fault. */
export function withoutKeyedItems(errors: readonly SchemaError[], scene: Scene): Retold {
  const words = new Map<SchemaError, Said>();
  const dropped = new Set<SchemaError>();
  for (const { node: item, lacking, unknown } of muddlesIn(errors, scene)) {
    if (typeof item.key !== "number") continue;
    for (const [name, error] of unknown) {
      const naming = isMisspelt(name, error) ? undefined : namingOf(item, name, lacking);
      if (naming === undefined) continue;
      const advice = `Write ${quoted(name)} as its ${quoted(naming)}, and what is inside it beside that.`;
      words.set(error, { advice });
      for (const told of toldInside(item, name, naming, lacking)) dropped.add(told);
    }
  }
  return { errors: without(errors, dropped), words };
}

/** The property that names an item, where the only one it has stands for it. */
function namingOf(item: MappingNode, name: string, missing: ByName): string | undefined {
  const inside = item.get(name);
  const naming = ["name", "id", "type"].find((property) => missing.has(property));
  if (item.entries.length > 1 || naming === undefined || inside?.kind !== "mapping") return undefined;
  return inside.get(naming) === undefined ? naming : undefined;
}

function toldInside(
  item: MappingNode,
  name: string,
  naming: string,
  missing: ByName,
): readonly SchemaError[] {
  const inside = item.get(name);
  const isTold = (property: string) =>
    property === naming || (inside?.kind === "mapping" && inside.get(property) !== undefined);
  return [...missing].flatMap(([property, error]) => (isTold(property) ? error : []));
}
