import type { MappingNode } from "../../document/node.js";
import { stringOf } from "../../document/spelled-values.js";
import { meantInstead } from "../show-value.js";
import { nounOf } from "../thing.js";
import type { SchemaError } from "../validator.js";
import { type Mistake, muddlesIn, type Scene } from "./retold.js";

/** What other things call the property that tells which one it is, or of what kind. */
const exchanged: ReadonlyMap<string, string> = new Map([
  ["id", "name"],
  ["name", "id"],
  ["kind", "type"],
]);

/** Things that have no names but their types. */
const knownByType = new Set<string | undefined>(["validator", "middleware"]);

/** `name: polite` for the `id` of an eval, which lacks it: that is one fault. */
export function* exchangedNames(errors: readonly SchemaError[], scene: Scene): Iterable<Mistake> {
  for (const { node, lacking, unknown } of muddlesIn(errors, scene)) {
    const left = new Map(lacking);
    for (const [name, told] of unknown) {
      const meant = meantBy(node, name);
      const lacked = left.get(meant);
      if (lacked === undefined) continue;
      left.delete(meant);
      yield { told, said: meantInstead(meant), implied: [lacked] };
    }
  }
}

function meantBy(node: MappingNode, name: string): string {
  if (stringOf(node.get(name)) === undefined) return "";
  return name === "name" && knownByType.has(nounOf(node)) ? "type" : (exchanged.get(name) ?? "");
}
