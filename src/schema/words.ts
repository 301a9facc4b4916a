import { codePoints } from "../document/code-points.js";
import { Key, type Node, type ScalarNode } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { capitalize, joinWords } from "../words/wording.js";
import type { Around } from "./item-hint.js";
import { describeFound, quoteValue, spelling } from "./show-value.js";
import { describeValue } from "./thing.js";
import { type SchemaError, type SchemaPart, typesOf } from "./validator.js";
import { collectionHint, isForNames, mayBeNamed, scalarHint } from "./value-hints.js";

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

const formatWords: Readonly<Record<string, string>> = {
  date: "a date such as 2026-02-03",
  "date-time": "a date and time such as 2026-02-03T09:30:00Z",
  uri: "an absolute address such as https://example.org/photo.png",
};

/** What is wrong with a value, in one sentence. */
export function valueMessage(error: SchemaError, node: Node, source: string, around: Around): string {
  const subject = capitalize(describeValue(node, around.words));
  const schema = error.parentSchema;
  switch (error.keyword) {
    case "minLength":
      return limit(error) === 1
        ? `${subject} must not be empty.`
        : `${subject} must have at least ${limit(error)} characters.`;
    case "maxLength":
      return `${subject} must have at most ${limit(error)} characters, found ${codePoints(stringOf(node) ?? "")}.`;
    case "minItems":
    case "minProperties":
      return `${subject} must have at least ${limit(error) === 1 ? "one entry" : `${limit(error)} entries`}.`;
    case "const":
      return mustBe(subject, JSON.stringify(error.params["allowedValue"]), describeFound(node, source));
    case "pattern":
      return mustBe(subject, schema.patternErrorMessage ?? "a different text", describeFound(node, source));
    case "format":
      return mustBe(subject, formatOf(schema) ?? "a different text", describeFound(node, source));
    default:
      return typeMessage(subject, schema, node, source, around);
  }
}

export function namesIn(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

export function typeName(type: string): string {
  return typeWords[type] ?? type;
}

/** A phrase with commas of its own is set off by a semicolon. */
export function mustBe(subject: string, expected: string, instead: string): string {
  return `${subject} must be ${expected}${expected.includes(",") ? ";" : ","} found ${instead}.`;
}

function typeMessage(
  subject: string,
  schema: SchemaPart,
  node: Node,
  source: string,
  around: Around,
): string {
  if (schema.enum !== undefined) {
    const names = namesIn(schema.enum);
    return mustBe(subject, joinWords(names.map(quoteValue), "or"), describeFound(node, source));
  }
  const types = typesOf(schema);
  if (node.kind !== "scalar")
    return mustBe(subject, expectation(schema), describeFound(node, source) + collectionHint(schema, node, around));
  if (types.includes("string") && (typeof node.value === "number" || typeof node.value === "boolean")) {
    return unquotedMessage(subject, schema, node, spelling(node, source));
  }
  return mustBe(subject, expectation(schema), describeFound(node, source) + scalarHint(schema, node, source));
}

/** `version: 1.0` is a number; only where the text would do does it help to put it in quotes. */
function unquotedMessage(subject: string, schema: SchemaPart, node: ScalarNode, text: string): string {
  const instead = typeof node.value === "number" ? `the number ${text}` : text;
  const words = schema.patternErrorMessage ?? formatOf(schema);
  const fits =
    schema.pattern === undefined ? words === undefined : new RegExp(schema.pattern, "u").test(text);
  if (fits && isNoWordFor(node, text)) return mustBe(subject, "a string", instead);
  const remedy = node.origin === undefined ? "put it in quotes" : `write ${quoteValue(text)}`;
  if (fits) return `${subject} must be a string, found ${instead}; ${remedy}.`;
  return `${subject} must be a string in quotes (${words ?? "of another form"}), found ${instead}.`;
}

const choices = new Set(["persistence", "orchestration"]);

/** Whether the string would be wrong, too. A state may be called "1", but hardly "true". */
function isNoWordFor(node: ScalarNode, text: string): boolean {
  if (!(node.key instanceof Key)) return false;
  if (choices.has(node.key.text)) return true;
  return isForNames(node) && (typeof node.value === "boolean" || !mayBeNamed(node, text));
}

/** `a number between 0 and 2`, `a whole number of at least 1, or null`. */
function expectation(schema: SchemaPart): string {
  const { minimum, maximum } = schema;
  const types = typesOf(schema).map((type) => {
    if (type === "object" && schema.required !== undefined)
      return `an object with ${joinWords(schema.required.map(quoteValue), "and")}`;
    if (type !== "number" && type !== "integer") return typeName(type);
    if (minimum !== undefined && maximum !== undefined)
      return `${typeName(type)} between ${minimum} and ${maximum}`;
    if (minimum !== undefined) return `${typeName(type)} of at least ${minimum}`;
    return maximum === undefined ? typeName(type) : `${typeName(type)} of at most ${maximum}`;
  });
  return types.length === 2 ? types.join(", or ") : joinWords(types, "or");
}

function formatOf(schema: SchemaPart): string | undefined {
  return schema.format === undefined ? undefined : formatWords[schema.format];
}

function limit(error: SchemaError): number {
  return Number(error.params["limit"]);
}
