import { childrenOf, type MappingNode, type Node } from "../document/node.js";
import { findNode } from "../document/pointers.js";
import { joinWords } from "../text/wording.js";
import { isLocal } from "./json-schema-faults.js";
import { applicators, schemaShape, type Shape, shapeOf } from "./json-schema-keywords.js";
import { quoteValue } from "./show-value.js";
import { isType, types } from "./validator.js";

/** Why the content of a file is no JSON Schema, in words that follow a colon; undefined if it is one. */
export function schemaFault(root: Node): string | undefined {
  if (!schemaShape.fits(root)) return `it must be ${schemaShape.words}`;
  const named = root.kind === "mapping" ? root.get("$schema") : undefined;
  const dialect = named?.kind === "scalar" ? String(named.value) : "";
  const open: Node[] = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    for (const { key, value } of schema.kind === "mapping" ? schema.entries : []) {
      const shape = shapeOf(key.text, dialect);
      if (shape === undefined) continue;
      const words = shape.fits(value) ? typeWords(shape, value) : shape.words;
      if (words !== undefined) return `${quoteValue(value.pointer)} must be ${words}`;
      for (const inner of subschemasIn(shape, value)) {
        if (!schemaShape.fits(inner)) return `${quoteValue(inner.pointer)} must be ${schemaShape.words}`;
        open.push(inner);
      }
    }
  }
  return undefined;
}

function typeWords({ inside, words }: Shape, value: Node): string | undefined {
  if (inside !== "type") return undefined;
  const names = value.kind === "sequence" ? value.items : [value];
  return names.every((name) => isType(name)) ? undefined : `${words}: ${joinWords(types, "or")}`;
}

function subschemasIn({ inside }: Shape, value: Node): readonly Node[] {
  if (inside === "schemas") return childrenOf(value);
  if (inside !== "schema") return [];
  return value.kind === "sequence" ? value.items : [value];
}

/** A field that a schema forbids. */
interface ForbiddenField {
  /** Its position among the fields. */
  readonly position: number;
  /** The fields that there are instead. */
  readonly known: readonly string[];
}

/** The first of these fields, each inside the one before, that no value of the schema has; undefined if that is not certain. */
export function forbiddenField(root: Node, fields: readonly string[]): ForbiddenField | undefined {
  let schema: Node | undefined = root;
  for (const [position, name] of fields.entries()) {
    const here: MappingNode | undefined = schema && followReferences(root, schema);
    if (here === undefined) return undefined;
    const properties: Node | undefined = here.get("properties");
    const known: MappingNode | undefined = properties?.kind === "mapping" ? properties : undefined;
    schema = known?.get(name);
    if (schema === undefined)
      return isClosed(here)
        ? { position, known: known?.entries.map(({ key }) => key.text) ?? [] }
        : undefined;
  }
  return undefined;
}

const maxReferences = 100;

/** The schema that local references lead to. Drafts differ in what other keywords beside a reference mean. */
function followReferences(root: Node, schema: Node): MappingNode | undefined {
  let here: Node | undefined = schema;
  for (let count = 0; count < maxReferences && here?.kind === "mapping"; count++) {
    const reference = here.get("$ref");
    if (reference === undefined) return hasDynamicReference(here) ? undefined : here;
    if (!isLocal(reference) || here.entries.some(({ key }) => !besideReference.has(key.text)))
      return undefined;
    here = findNode(root, reference.value.slice(1));
  }
  return undefined;
}

function hasDynamicReference(schema: MappingNode): boolean {
  return schema.get("$dynamicRef") !== undefined || schema.get("$recursiveRef") !== undefined;
}

const besideReference = new Set([
  ...["$ref", "$schema", "$id", "$comment", "$defs", "definitions"],
  ...["title", "description", "examples", "default", "deprecated"],
]);

function isClosed(schema: MappingNode): boolean {
  const isFalse = (name: string): boolean => {
    const value = schema.get(name);
    return value?.kind === "scalar" && value.value === false;
  };
  const patterns = schema.get("patternProperties");
  if (patterns !== undefined && childrenOf(patterns).length > 0) return false;
  if (isFalse("additionalProperties")) return true;
  return (
    isFalse("unevaluatedProperties") && applicators.every((keyword) => schema.get(keyword) === undefined)
  );
}
