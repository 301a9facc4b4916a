import type { MappingNode, Node } from "../document/node.js";
import { describeValue } from "./describe-node.js";
import { quoteValue } from "./show-value.js";

export interface Shape {
  /** Follows "must be". */
  readonly words: string;
  readonly fits: (node: Node) => boolean;
  /** How to go on inside a valid value. */
  readonly inside?: Inside;
}

type Inside =
  /** A schema, or a list of them. */
  | "schema"
  /** A list or an object of schemas. */
  | "schemas"
  | "names"
  /** An object of lists of names, or in `dependencies` of schemas. */
  | "dependencies"
  | "type"
  | "pattern"
  | "reference";

const is = (type: string) => (node: Node) => node.kind === "scalar" && typeof node.value === type;
const isNumber = (holds: (value: number) => boolean) => (node: Node) =>
  node.kind === "scalar" &&
  typeof node.value === "number" &&
  Number.isFinite(node.value) &&
  holds(node.value);
const isSequence = (node: Node) => node.kind === "sequence";
const isMapping = (node: Node) => node.kind === "mapping";

const anyNumber = isNumber(() => true);

export const schemaShape: Shape = {
  words: "a schema (an object or a boolean)",
  fits: (node) => node.kind === "mapping" || is("boolean")(node),
  inside: "schema",
};
export const namesShape: Shape = { words: "a list of property names", fits: isSequence, inside: "names" };
const schemaList: Shape = {
  words: "a list of one schema or more",
  fits: (node) => node.kind === "sequence" && node.items.length > 0,
  inside: "schemas",
};
const schemaMap: Shape = { words: "an object of schemas", fits: isMapping, inside: "schemas" };
const namesMap: Shape = { words: "an object of lists of names", fits: isMapping, inside: "dependencies" };
const type: Shape = { words: "the name of a type", fits: () => true, inside: "type" };
const text: Shape = { words: "a string", fits: is("string") };
const truth: Shape = { words: "true or false", fits: is("boolean") };
const number: Shape = { words: "a number", fits: anyNumber };
const positive: Shape = { words: "a number above 0", fits: isNumber((value) => value > 0) };
const count: Shape = {
  words: "a whole number of at least 0",
  fits: isNumber((value) => Number.isInteger(value) && value >= 0),
};
const list: Shape = { words: "a list", fits: isSequence };

/** Before draft 6, a boolean made the bound beside it exclusive. */
const boundOrTruth: Shape = {
  words: "a number or a boolean",
  fits: (node) => anyNumber(node) || is("boolean")(node),
};

/** Before 2020-12, a list of schemas described the items of a tuple. */
const schemaOrTuple: Shape = {
  words: schemaShape.words,
  fits: (node) => schemaShape.fits(node) || (node.kind === "sequence" && node.items.length > 0),
  inside: "schema",
};

/** The keywords of drafts 6 to 2020-12. */
const shapes: ReadonlyMap<string, Shape> = new Map([
  ...all(type, "type"),
  ...all(text, "$schema", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$comment"),
  ...all(text, "title", "description", "format", "contentEncoding", "contentMediaType"),
  ...all({ ...text, inside: "reference" }, "$ref"),
  ...all({ ...text, inside: "pattern" }, "pattern"),
  ...all(truth, "uniqueItems", "readOnly", "writeOnly", "deprecated", "$recursiveAnchor"),
  ...all(number, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
  ...all(positive, "multipleOf"),
  ...all(count, "minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"),
  ...all(count, "minProperties", "maxProperties"),
  ...all(list, "enum", "examples"),
  ...all({ words: "an object", fits: isMapping }, "$vocabulary"),
  ...all(namesShape, "required"),
  ...all(namesMap, "dependentRequired", "dependencies"),
  ...all(schemaMap, "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
  ...all(schemaList, "allOf", "anyOf", "oneOf", "prefixItems"),
  ...all(schemaShape, "not", "if", "then", "else", "items", "additionalItems", "contains"),
  ...all(schemaShape, "additionalProperties", "unevaluatedProperties", "unevaluatedItems"),
  ...all(schemaShape, "propertyNames", "contentSchema"),
]);

/** Keywords whose schemas may evaluate further properties of the value. */
export const applicators = ["allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies"];

/** Keywords whose schemas apply to the same value as the schema around them. */
export const sameValueKeywords: ReadonlySet<string> = new Set([...applicators, "then", "else"]);

/** Where drafts differ, anything that one of them allows is accepted, unless `$schema` names a draft. */
export function shapeOf(keyword: string, dialect: string): Shape | undefined {
  if (keyword.startsWith("exclusive") && /draft-0[34]\b/.test(dialect)) return boundOrTruth;
  if (keyword === "items" && !dialect.includes("2020-12")) return schemaOrTuple;
  return shapes.get(keyword);
}

function all(shape: Shape, ...keywords: readonly string[]): [string, Shape][] {
  return keywords.map((keyword) => [keyword, shape]);
}

/** A keyword of a JSON Schema, and its value. */
export interface KeywordUse {
  readonly schema: MappingNode;
  readonly keyword: string;
  readonly value: Node;
}

/** `the "type" of parameter "city"` */
export function subjectOf({ schema, keyword }: Pick<KeywordUse, "schema" | "keyword">): string {
  return `the ${quoteValue(keyword)} of ${describeValue(schema)}`;
}

/** `required: true` beside the `type` of a parameter comes from other formats. */
export function requiredAdvice({ schema, keyword, value }: KeywordUse): string | undefined {
  const isHabit = keyword === "required" && value.kind === "scalar" && typeof value.value === "boolean";
  return isHabit
    ? `To require ${describeValue(schema)}, name it in the "required" of the object that holds it.`
    : undefined;
}
