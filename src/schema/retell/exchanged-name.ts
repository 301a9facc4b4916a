import type { MappingNode } from "../../document/node.js";
import { stringOf } from "../../document/spelled-values.js";
import { without } from "../merge-errors.js";
import { meantInstead } from "../show-value.js";
import { nounOf } from "../thing.js";
import type { SchemaError } from "../validator.js";
import { muddlesIn, type Retold, type Said, type Scene } from "./retold.js";

/** What other things call the property that tells which one it is, or of what kind. */
const exchanged: ReadonlyMap<string, string> = new Map([
  ["id", "name"],
  ["name", "id"],
  ["kind", "type"],
]);

/** Things that have no names but their types. */
const knownByType = new Set<string | undefined>(["validator", "middleware"]);

/** `name: polite` for the `id` of an eval, which lacks it: that is one fault. */
export function withoutExchangedNames(errors: readonly SchemaError[], scene: Scene): Retold {
  const words = new Map<SchemaError, Said>();
  const dropped = new Set<SchemaError>();
  for (const { node, lacking, unknown } of muddlesIn(errors, scene)) {
    for (const [name, error] of unknown) {
      const meant = meantBy(node, name);
      const lacked = lacking.get(meant);
      if (lacked === undefined || dropped.has(lacked)) continue;
      words.set(error, meantInstead(meant));
      dropped.add(lacked);
    }
  }
  return { errors: without(errors, dropped), words };
}

function meantBy(node: MappingNode, name: string): string {
  if (stringOf(node.get(name)) === undefined) return "";
  return name === "name" && knownByType.has(nounOf(node)) ? "type" : (exchanged.get(name) ?? "");
}
