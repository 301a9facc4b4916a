import { codePoints } from "../document/code-points.js";
import { arrowAdvice, gluedKey } from "../document/glued-key.js";
import { Key, type Node, type ScalarNode } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { findGluedSpace } from "../document/strange-space.js";
import { capitalized, joined } from "../words/wording.js";
import { found, quoted, spelling } from "./show-value.js";
import { valueName } from "./thing.js";
import type { SchemaError, SchemaPart } from "./validator.js";
import type { Vocabulary } from "./vocabulary.js";
import { isFirstOnLine, isPlain } from "./written-as.js";

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
export function valueMessage(error: SchemaError, node: Node, source: string, words?: Vocabulary): string {
  const subject = capitalized(valueName(node, words));
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
      return must(subject, JSON.stringify(error.params["allowedValue"]), found(node, source));
    case "pattern":
      return must(subject, schema.patternErrorMessage ?? "a different text", found(node, source));
    case "format":
      return must(subject, formatOf(schema) ?? "a different text", found(node, source));
    default:
      return typeMessage(subject, schema, node, source);
  }
}

export function namesIn(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

export function typesOf(schema: SchemaPart): readonly string[] {
  return typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
}

export function typeName(type: string): string {
  return typeWords[type] ?? type;
}

/** A phrase with commas of its own is set off by a semicolon. */
export function must(subject: string, expected: string, instead: string): string {
  return `${subject} must be ${expected}${expected.includes(",") ? ";" : ","} found ${instead}.`;
}

function typeMessage(subject: string, schema: SchemaPart, node: Node, source: string): string {
  if (schema.enum !== undefined) {
    const names = namesIn(schema.enum);
    return must(subject, joined(names.map(quoted), "or"), found(node, source));
  }
  const types = typesOf(schema);
  if (node.kind !== "scalar")
    return must(subject, expectation(schema), found(node, source) + collectionHint(schema, node));
  if (types.includes("string") && (typeof node.value === "number" || typeof node.value === "boolean")) {
    return unquotedMessage(subject, schema, node, spelling(node, source));
  }
  return must(subject, expectation(schema), found(node, source) + hintFor(schema, node, source));
}

/** `version: 1.0` is a number; only where the text would do does it help to put it in quotes. */
function unquotedMessage(subject: string, schema: SchemaPart, node: ScalarNode, text: string): string {
  const instead = typeof node.value === "number" ? `the number ${text}` : text;
  const words = schema.patternErrorMessage ?? formatOf(schema);
  const fits =
    schema.pattern === undefined ? words === undefined : new RegExp(schema.pattern, "u").test(text);
  if (fits && isNoWordFor(node)) return must(subject, "a string", instead);
  if (fits) return `${subject} must be a string, found ${instead}; put it in quotes.`;
  return `${subject} must be a string in quotes (${words ?? "of another form"}), found ${instead}.`;
}

const choices = new Set(["persistence", "orchestration"]);

/** Whether the string would be wrong, too. A state may be called "1", but hardly "true". */
function isNoWordFor(node: ScalarNode): boolean {
  if (!(node.key instanceof Key)) return false;
  return choices.has(node.key.text) || (typeof node.value === "boolean" && isForNames(node));
}

/** Lists and objects are easily mistaken for each other, and a thing for its name. */
function collectionHint(schema: SchemaPart, node: Node): string {
  const types = typesOf(schema);
  if (node.kind === "sequence")
    return types.includes("object") && typeof schema.additionalProperties === "object"
      ? "; use the name of each entry as its key"
      : "";
  if (types.includes("array")) return "; write each entry as a list item";
  if (!types.includes("string") || node.kind !== "mapping" || !isForNames(node)) return "";
  const name = stringOf(node.get("name") ?? node.get("target"));
  return name === undefined ? "" : `; write ${quoted(name)}`;
}

const namingProperties = new Set(["entry", "prompt_task", "on_max_visits", "state", "skills"]);

/** Whether a string in this place is the name of something, not a text. */
function isForNames({ key, parent }: Node): boolean {
  if (!(key instanceof Key)) return true;
  return namingProperties.has(key.text) || (parent?.key instanceof Key && parent.key.text === "on_event");
}

function hintFor(schema: SchemaPart, node: ScalarNode, source: string): string {
  const { value } = node;
  const types = typesOf(schema);
  if (isQuotedByMistake(schema, value)) return "; remove the quotes";
  if (types.includes("object") && isPlain(node, source)) {
    const text = String(value);
    // With more words, the arrow is a part of prose.
    const arrow = text.split(/\s+/, 4).length < 4 ? arrowAdvice(text) : undefined;
    const advice = gluedKey.test(text) ? "put a space after the colon" : arrow;
    if (advice !== undefined) return isFirstOnLine(node, source) ? `; ${advice}` : "";
  }
  if (types.includes("array") && typeof value === "string" && schema.items?.type === "string")
    return listHint(value, isPlain(node, source));
  const truth =
    types.includes("boolean") && typeof value === "string" ? oldTruths.get(value.toLowerCase()) : undefined;
  return truth === undefined ? "" : `; write ${truth}`;
}

function listHint(value: string, isPlain: boolean): string {
  if (isPlain && findGluedSpace(value, 0) !== undefined) return "";
  return isPlain && /^-[^\s-]/.test(value) ? "; put a space after each dash" : `; write [${listOf(value)}]`;
}

function listOf(names: string): string {
  const parts = names.split(",").map((part) => part.trim());
  return parts.map(quoted).join(", ");
}

/** What YAML once took for a truth value, and now takes for text. */
const oldTruths: ReadonlyMap<string, string> = new Map([
  ["yes", "true"],
  ["on", "true"],
  ["y", "true"],
  ["no", "false"],
  ["off", "false"],
  ["n", "false"],
]);

function isQuotedByMistake(schema: SchemaPart, value: unknown): boolean {
  const types = typesOf(schema);
  if (typeof value !== "string") return false;
  if (types.includes("boolean")) return value === "true" || value === "false";
  if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return false;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const number = Number(value);
  if (number < minimum || number > maximum) return false;
  return types.includes("number") || (types.includes("integer") && Number.isInteger(number));
}

/** `a number between 0 and 2`, `a whole number of at least 1, or null`. */
function expectation(schema: SchemaPart): string {
  const { minimum, maximum } = schema;
  const types = typesOf(schema).map((type) => {
    if (type === "object" && schema.required !== undefined)
      return `an object with ${joined(schema.required.map(quoted), "and")}`;
    if (type !== "number" && type !== "integer") return typeName(type);
    if (minimum !== undefined && maximum !== undefined)
      return `${typeName(type)} between ${minimum} and ${maximum}`;
    if (minimum !== undefined) return `${typeName(type)} of at least ${minimum}`;
    return maximum === undefined ? typeName(type) : `${typeName(type)} of at most ${maximum}`;
  });
  return types.length === 2 ? types.join(", or ") : joined(types, "or");
}

function formatOf(schema: SchemaPart): string | undefined {
  return schema.format === undefined ? undefined : formatWords[schema.format];
}

function limit(error: SchemaError): number {
  return Number(error.params["limit"]);
}
