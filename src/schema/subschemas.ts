import { type Entry, isNull, Key, type MappingNode, type Node } from "../document/node.js";
import { knows, packSchema, type SchemaPart, typesOf } from "./validator.js";

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

/** Entries that belong inside the one above them. */
export interface Lines {
  readonly owner: Key;
  readonly keys: readonly Key[];
}

/** In a mapping with a repeated key, the entries that an entry above them lacks, by each of their keys. */
export function linesInside({ allEntries = [] }: MappingNode): ReadonlyMap<Key, Lines> {
  const { schema } = packSchema.explainer();
  const found = new Map<Key, Lines>();
  let owner: Key | undefined;
  let lacking: (entry: Entry) => boolean = () => false;
  let keys: Key[] = [];
  for (const entry of allEntries) {
    const { key, value } = entry;
    if (owner !== undefined && lacking(entry) && keys.every(({ text }) => text !== key.text)) {
      keys.push(key);
      found.set(key, { owner, keys });
      continue;
    }
    owner = key;
    keys = [];
    lacking = lackedBy(value, schema);
  }
  return found;
}

/** Whether a value lacks an entry: an object that requires it, or a key without a value. */
function lackedBy(owner: Node, schema: SchemaPart): (entry: Entry) => boolean {
  const isEmpty = isNull(owner) && owner.start === owner.end;
  if (owner.kind !== "mapping" && !isEmpty) return () => false;
  const parts = subschemasFor(owner, schema);
  return ({ key: { text }, value }) =>
    parts.some((part) => {
      if (owner.kind === "mapping" && (!part.required?.includes(text) || owner.get(text) !== undefined))
        return false;
      return (
        knows(part, text) &&
        alternativesOf(part.properties?.[text] ?? {}, schema).some((form) => suits(form, value))
      );
    });
}

/** Whether a value has the required type; a missing value may become it. */
function suits(form: SchemaPart, value: Node): boolean {
  const types = typesOf(form);
  if (types.length === 0 || isNull(value)) return true;
  if (value.kind === "mapping") return types.includes("object");
  if (value.kind === "sequence") return types.includes("array");
  return types.includes(typeof value.value) || (types.includes("integer") && Number.isInteger(value.value));
}
