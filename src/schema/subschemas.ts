import { Key, type Node } from "../document/node.js";
import { knows, packSchema, type SchemaPart } from "./validator.js";

/** Whether the object around this value does not require it. */
export function isOptional({ key, parent }: Node, whole: SchemaPart): boolean {
  if (!(key instanceof Key) || parent === null) return false;
  const holders = subschemasFor(parent, whole).filter((part) => knows(part, key.text));
  return holders.length > 0 && holders.every(({ required = [] }) => !required.includes(key.text));
}

/** Whether the schema of packs knows this key in its place. */
export function isNamedBySchema({ text, value }: Key): boolean {
  const around = value?.parent;
  if (around?.kind !== "mapping") return false;
  return subschemasFor(around, packSchema.explainer().schema).some((part) => knows(part, text));
}

/** The subschemas that apply to a value; several if it may have one of several forms. */
function subschemasFor({ key, parent }: Node, whole: SchemaPart): readonly SchemaPart[] {
  if (parent === null || key === null) return [whole];
  return subschemasFor(parent, whole).flatMap((part) => {
    const named = key instanceof Key && knows(part, key.text) ? part.properties?.[key.text] : undefined;
    const inner = key instanceof Key ? (named ?? part.additionalProperties) : part.items;
    return typeof inner === "object" ? alternativesOf(inner, whole) : [];
  });
}

/** A subschema with references resolved: one form, or the alternatives of a `oneOf`. */
export function alternativesOf(part: SchemaPart, whole: SchemaPart): readonly SchemaPart[] {
  if (part.$ref !== undefined) {
    const definition = whole.$defs?.[part.$ref.replace("#/$defs/", "")];
    return definition === undefined ? [] : alternativesOf(definition, whole);
  }
  return part.oneOf === undefined ? [part] : part.oneOf.flatMap((form) => alternativesOf(form, whole));
}
