import type { Node } from "../../document/node.js";
import { homeOf } from "../../meant/homes.js";
import { meantProperty } from "../../meant/meant-property.js";
import { neighboursBelow } from "../../meant/unindented.js";
import { linesFrom } from "../place-words.js";
import { holderOf } from "../thing.js";
import type { SchemaError } from "../validator.js";
import { isBlockText } from "../written-as.js";
import { type ByName, type Mistake, type Scene, unknownByPath } from "./retold.js";

/** `system_template: |`, and below it the lines of the text, not indented: those with a colon are taken for properties. */
export function* unindentedText(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const unknown = unknownByPath(errors);
  for (const told of unknown.size > 0 ? errors : []) {
    if (told.keyword !== "minLength") continue;
    const properties = unknown.get(told.instancePath.slice(0, told.instancePath.lastIndexOf("/")));
    const names = properties === undefined ? [] : namesBelow(nodeAt(told.instancePath), properties);
    if (names.length === 0) continue;
    const advice = `Indent ${linesFrom(names)} to put ${names.length === 1 ? "it" : "them"} into the text.`;
    yield { told, said: { advice }, implied: names.flatMap((name) => properties?.get(name) ?? []) };
  }
}

/** The neighbours right below a text that nobody knows, whether by their own name or by another. */
function namesBelow(text: Node | undefined, unknown: ByName): readonly string[] {
  const holder = text?.parent;
  if (!isBlockText(text) || holder?.kind !== "mapping") return [];
  const isLine = (name: string) => {
    const known = Object.keys(unknown.get(name)?.parentSchema.properties ?? {});
    const free = known.filter((property) => holder.get(property) === undefined);
    return unknown.has(name) && !meantProperty(name, free) && !homeOf(name, holderOf(holder));
  };
  return neighboursBelow(text, (key) => isLine(key.text)).map(({ text: name }) => name);
}
