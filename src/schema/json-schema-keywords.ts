import {
  asMapping,
  childrenOf,
  LocatedBoolean,
  type MappingNode,
  type Node,
  numberOf,
  type ScalarNode,
  stringOf,
} from "../document/node.js";
import { findNode } from "../document/pointers.js";
import { joinWords } from "../text/wording.js";
import { quoteValue } from "./describe-node.js";
import { isType, types } from "./validator.js";

interface Shape {
  /** Follows "must be". */
  readonly words: string;
  readonly fits: (node: Node) => boolean;
  readonly holds?: "schema" | "schemas" | "names" | "dependencies";
}

const is = (type: string) => (node: Node) => node.kind === "scalar" && typeof node.value === type;
const isNumber = (holds: (value: number) => boolean) => (node: Node) => {
  const value = numberOf(node) ?? NaN;
  return Number.isFinite(value) && holds(value);
};
const isSequence = (node: Node) => node.kind === "sequence";
const isMapping = (node: Node) => node.kind === "mapping";
const isList = (node: Node) => node.kind === "sequence" && node.items.length > 0;

export const schemaShape: Shape = {
  words: "a schema (an object or a boolean)",
  fits: (node) => isMapping(node) || is("boolean")(node),
  holds: "schema",
};
export const namesShape: Shape = { words: "a list of property names", fits: isSequence, holds: "names" };
const type: Shape = {
  words: `the name of a type: ${joinWords(types, "or")}`,
  fits: (node) => itemsOrSelf(node).every(isType),
};
const text: Shape = { words: "a string", fits: is("string") };
const count: Shape = {
  words: "a whole number of at least 0",
  fits: isNumber((value) => Number.isInteger(value) && value >= 0),
};

/** The keywords of drafts 6 to 2020-12. */
const shapes: ReadonlyMap<string, Shape> = new Map([
  ...all(type, "type"),
  ...all(text, "$schema", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$comment"),
  ...all(text, "title", "description", "format", "contentEncoding", "contentMediaType", "$ref", "pattern"),
  ...all(
    { words: "true or false", fits: is("boolean") },
    ...["uniqueItems", "readOnly", "writeOnly", "deprecated", "$recursiveAnchor"],
  ),
  ...all(
    { words: "a number", fits: isNumber(() => true) },
    ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ),
  ...all({ words: "a number above 0", fits: isNumber((value) => value > 0) }, "multipleOf"),
  ...all(count, "minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"),
  ...all(count, "minProperties", "maxProperties"),
  ...all({ words: "a list", fits: isSequence }, "enum", "examples"),
  ...all({ words: "an object", fits: isMapping }, "$vocabulary"),
  ...all(namesShape, "required"),
  ...all(
    { words: "an object of lists of names", fits: isMapping, holds: "dependencies" },
    ...["dependentRequired", "dependencies"],
  ),
  ...all(
    { words: "an object of schemas", fits: isMapping, holds: "schemas" },
    ...["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"],
  ),
  ...all(
    { words: "a list of one schema or more", fits: isList, holds: "schemas" },
    ...["allOf", "anyOf", "oneOf", "prefixItems"],
  ),
  ...all(schemaShape, "not", "if", "then", "else", "items", "additionalItems", "contains"),
  ...all(schemaShape, "additionalProperties", "unevaluatedProperties", "unevaluatedItems"),
  ...all(schemaShape, "propertyNames", "contentSchema"),
]);

function all(shape: Shape, ...keywords: readonly string[]): [string, Shape][] {
  return keywords.map((keyword) => [keyword, shape]);
}

/** Before draft 6, a boolean made the bound beside it exclusive. */
const boundOrTruth: Shape = {
  words: "a number or a boolean",
  fits: (node) => isNumber(() => true)(node) || is("boolean")(node),
};

/** Before 2020-12, a list of schemas described the items of a tuple. */
const schemaOrTuple: Shape = { ...schemaShape, fits: (node) => schemaShape.fits(node) || isList(node) };

/** The keywords of drafts 4 to 2020-12 and of OpenAPI 3; those of draft 3 are near none of them. */
export const knownKeywords: ReadonlySet<string> = new Set([
  ...shapes.keys(),
  ...["const", "default", "id", "nullable", "discriminator", "xml", "externalDocs", "example"],
]);

/** Where drafts differ, anything that one of them allows is accepted, unless `$schema` names a draft. */
export function shapeOf(keyword: string, dialect: string): Shape | undefined {
  if (keyword.startsWith("exclusive") && /draft-0[34]\b/.test(dialect)) return boundOrTruth;
  if (keyword === "items" && !dialect.includes("2020-12")) return schemaOrTuple;
  return shapes.get(keyword);
}

/** Keywords whose schemas may evaluate further properties of the value. */
const applicators = ["allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies"];

/** Keywords whose schemas apply to the same value as the schema around them. */
export const sameValueKeywords: ReadonlySet<string> = new Set([...applicators, "then", "else"]);

export interface KeywordUse {
  readonly schema: MappingNode;
  readonly keyword: string;
  readonly value: Node;
  readonly shape: Shape;
  readonly fits: boolean;
  /** The parts of a fitting value that must be schemas, and those that must be lists of names. */
  readonly schemas: readonly Node[];
  readonly nameLists: readonly Node[];
}

/** The keywords of a schema and of all inside it that it enters. An explicit stack, so that depth is not limited. */
export function* keywordUses(
  root: Node,
  enters: (inner: Node, keyword: string) => boolean = () => true,
): Iterable<KeywordUse> {
  const dialect = stringOf(asMapping(root)?.get("$schema")) ?? "";
  const open = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (schema.kind !== "mapping") continue;
    for (const { key, value } of schema.entries) {
      const shape = shapeOf(key.text, dialect);
      if (shape === undefined) continue;
      const fits = shape.fits(value);
      const { schemas, nameLists } = fits ? partsOf(shape, key.text, value) : noParts;
      yield { schema, keyword: key.text, value, shape, fits, schemas, nameLists };
      for (const inner of schemas) if (enters(inner, key.text)) open.push(inner);
    }
  }
}

type Parts = Pick<KeywordUse, "schemas" | "nameLists">;
const noParts: Parts = { schemas: [], nameLists: [] };

function partsOf({ holds }: Shape, keyword: string, value: Node): Parts {
  if (holds === undefined) return noParts;
  if (holds === "names") return { ...noParts, nameLists: [value] };
  const children = holds === "schema" ? itemsOrSelf(value) : childrenOf(value);
  if (holds !== "dependencies") return { ...noParts, schemas: children };
  const isNames = (child: Node) => keyword === "dependentRequired" || isSequence(child);
  return { schemas: children.filter((child) => !isNames(child)), nameLists: children.filter(isNames) };
}

export function itemsOrSelf(node: Node): readonly Node[] {
  return node.kind === "sequence" ? node.items : [node];
}

/** The reason why a file is not a JSON Schema, which follows a colon; undefined if it is one. */
export function schemaFault(root: Node): string | undefined {
  if (!schemaShape.fits(root)) return `it must be ${schemaShape.words}`;
  for (const { value, shape, fits, schemas } of keywordUses(root)) {
    if (!fits) return `${quoteValue(value.pointer)} must be ${shape.words}`;
    const wrong = schemas.find((inner) => !schemaShape.fits(inner));
    if (wrong !== undefined) return `${quoteValue(wrong.pointer)} must be ${schemaShape.words}`;
  }
  return undefined;
}

interface ForbiddenField {
  readonly position: number;
  readonly known: readonly string[];
}

/** The first of these fields, each inside the one before, that no value of the schema has; undefined if that is not certain. */
export function forbiddenField(root: Node, fields: readonly string[]): ForbiddenField | undefined {
  let schema: Node | undefined = root;
  for (const [position, name] of fields.entries()) {
    const here: MappingNode | undefined = schema && followReferences(root, schema);
    if (here === undefined) return undefined;
    const known = asMapping(here.get("properties"));
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
    if (reference === undefined)
      return here.get("$dynamicRef") === undefined && here.get("$recursiveRef") === undefined
        ? here
        : undefined;
    if (!isLocal(reference) || here.entries.some(({ key }) => !besideReference.has(key.text)))
      return undefined;
    here = findNode(root, reference.value.slice(1));
  }
  return undefined;
}

const besideReference = new Set([
  ...["$ref", "$schema", "$id", "$comment", "$defs", "definitions"],
  ...["title", "description", "examples", "default", "deprecated"],
]);

export function isLocal(node: Node): node is ScalarNode & { readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string" && node.value.startsWith("#/");
}

function isClosed(schema: MappingNode): boolean {
  const isFalse = (name: string): boolean => LocatedBoolean.of(schema.get(name))?.value === false;
  const patterns = schema.get("patternProperties");
  if (patterns !== undefined && childrenOf(patterns).length > 0) return false;
  if (isFalse("additionalProperties")) return true;
  return (
    isFalse("unevaluatedProperties") && applicators.every((keyword) => schema.get(keyword) === undefined)
  );
}
