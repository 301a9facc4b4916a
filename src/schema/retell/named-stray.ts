import { namedStrays } from "../../meant/named-strays.js";
import { belongsInside } from "../place-words.js";
import { type Mistake, type Scene, unknownByPath } from "./retold.js";
import type { SchemaError } from "../validator.js";

/** A fragment, a tool or an agent at the top level of the pack belongs in its section, as a prompt does. */
export function* thingsInPack(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const root = nodeAt("");
  const unknown = unknownByPath(errors).get("");
  if (root?.kind !== "mapping" || unknown === undefined) return;
  for (const [{ key }, home] of namedStrays(root)) {
    const told = unknown.get(key.text);
    if (told !== undefined) yield { told, said: { advice: belongsInside(home) } };
  }
}
