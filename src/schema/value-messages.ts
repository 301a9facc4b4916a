import type { Fix } from "../diagnostic.js";
import { isNull, Key, type Node, type ScalarNode, stringOf } from "../document/node.js";
import { codePoints } from "../document/scan-text.js";
import { isUnspaced } from "../document/document.js";
import { parseBooleanWord } from "../text/parse-scalar.js";
import { capitalize, joinWords } from "../text/wording.js";
import {
  describeFound,
  describeKind,
  describeValue,
  nearSuggestion,
  nounOf,
  quoteValue,
  spelling,
  type Suggestion,
  type Vocabulary,
} from "./describe-node.js";
import { requiredIn, type SchemaError, type SchemaPart, typesOf } from "./validator.js";

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

export function valueMessage(error: SchemaError, source: string, words?: Vocabulary): string {
  const { node, part: schema } = error;
  const subject = capitalize(describeValue(node, words));
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
      return mustBe(subject, JSON.stringify(schema.const), describeFound(node, source));
    case "pattern":
    case "format":
      return mustBe(subject, textForm(schema) ?? "a different text", describeFound(node, source));
    default:
      return typeMessage(subject, schema, node, source);
  }
}

function namesIn(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

export function typeName(type: string): string {
  return typeWords[type] ?? type;
}

/** A semicolon where the expectation contains a comma. */
export function mustBe(subject: string, expected: string, instead: string): string {
  return `${subject} must be ${expected}${expected.includes(",") ? ";" : ","} found ${instead}.`;
}

function typeMessage(subject: string, schema: SchemaPart, node: Node, source: string): string {
  const found = describeFound(node, source);
  if (schema.enum !== undefined)
    return mustBe(subject, joinWords(namesIn(schema.enum).map(quoteValue), "or"), found);
  if (node.kind !== "scalar")
    return mustBe(subject, expectation(schema), found + collectionHint(schema, node));
  const { hint } = remedyFor(schema, node, source) ?? {};
  const ending = hint === undefined ? "" : `; ${hint}`;
  if (!isUnquoted(schema, node)) return mustBe(subject, expectation(schema), found + ending);
  const instead = typeof node.value === "number" ? `the number ${found}` : found;
  if (hint !== undefined) return `${subject} must be a string, found ${instead}${ending}.`;
  return `${subject} must be a string in quotes (${textForm(schema) ?? "of another form"}), found ${instead}.`;
}

function isUnquoted(schema: SchemaPart, { value }: ScalarNode): boolean {
  return typesOf(schema).includes("string") && (typeof value === "number" || typeof value === "boolean");
}

/** `a number between 0 and 2`, `a whole number of at least 1, or null`. */
function expectation(schema: SchemaPart): string {
  const { minimum, maximum } = schema;
  const required = requiredIn(schema);
  const types = typesOf(schema).map((type) => {
    if (type === "object" && required !== undefined)
      return `an object with ${joinWords(required.map(quoteValue), "and")}`;
    if (type !== "number" && type !== "integer") return typeName(type);
    if (minimum !== undefined && maximum !== undefined)
      return `${typeName(type)} between ${minimum} and ${maximum}`;
    if (minimum !== undefined) return `${typeName(type)} of at least ${minimum}`;
    return maximum === undefined ? typeName(type) : `${typeName(type)} of at most ${maximum}`;
  });
  return types.length === 2 ? types.join(", or ") : joinWords(types, "or");
}

function textForm({ patternErrorMessage, format = "" }: SchemaPart): string | undefined {
  return patternErrorMessage ?? formatWords[format];
}

function limit({ part, keyword }: SchemaError): number {
  return Number(Reflect.get(part, keyword));
}

export function valueAdvice(
  error: SchemaError,
  source: string,
  words: Vocabulary | undefined,
): Suggestion & { readonly fix?: Fix | undefined } {
  const { node, part: schema } = error;
  if (isUnspaced(node) && node.key instanceof Key) return spaceAdvice(node.key);
  if (isNull(node)) return { advice: "Give it a value." };
  if (typesOf(schema).includes("object") && requiredIn(schema) === undefined)
    return { advice: allowedKeysAdvice(describeKind(node, words), schema) };
  const key = words === undefined ? keyInstead(error) : undefined;
  if (key !== undefined) return key;
  const fix = node.kind === "scalar" ? remedyFor(schema, node, source)?.fix : undefined;
  return { fix, ...nearSuggestion(stringOf(node) ?? "", namesIn(schema.enum ?? [])) };
}

export function spaceAdvice({ text, start }: Key): { readonly advice: string; readonly fix: Fix } {
  const advice = "Put a space after the colon.";
  const at = start + text.indexOf(":") + 1;
  return { advice, fix: { description: advice, edits: [{ start: at, end: at, text: " " }] } };
}

/** The property that repeats the key of a thing. */
const ownNames: ReadonlyMap<string | undefined, string> = new Map([
  ["tool", "name"],
  ["prompt", "id"],
]);

/** Suggests the key where a name is ill-formed and the key is not: `name: Read File` of the tool `read_file`. */
function keyInstead({ keyword, node, part }: SchemaError): Suggestion | undefined {
  const { key, parent } = node;
  if (keyword !== "pattern" || !(key instanceof Key) || !(parent?.key instanceof Key)) return undefined;
  const { text, isDuplicate } = parent.key;
  if (isDuplicate || ownNames.get(nounOf(parent)) !== key.text) return undefined;
  const fits = new RegExp(part.pattern ?? "", "u").test(text);
  return fits ? { advice: `Write ${quoteValue(text)}, the same as its key.`, replacement: text } : undefined;
}

/** Lists and objects are easily mistaken for each other. */
function collectionHint(schema: SchemaPart, node: Node): string {
  const types = typesOf(schema);
  if (node.kind === "mapping" && types.includes("array")) return "; write each entry as a list item";
  const isMap = types.includes("object") && typeof schema.additionalProperties === "object";
  return node.kind === "sequence" && isMap ? "; use the name of each entry as its key" : "";
}

interface Remedy {
  /** Follows a semicolon. */
  readonly hint: string;
  readonly fix?: Fix | undefined;
}

/** The edit that makes a scalar a value of the right type. */
function remedyFor(schema: SchemaPart, node: ScalarNode, source: string): Remedy | undefined {
  const { value, origin } = node;
  if (schema.enum !== undefined) return undefined;
  if (isUnquoted(schema, node)) return quotesRemedy(schema, node, spelling(node, source));
  if (typeof value !== "string") return undefined;
  const { start, end } = origin ?? node;
  const first = source.charAt(start);
  // The lines of a block scalar are not rewritten.
  const rewrite = (description: string, text: string): Fix | undefined =>
    "|>".includes(first) ? undefined : { description, edits: [{ start, end, text }] };
  if (fitsAsWritten(schema, value)) {
    const isTagged = value.startsWith(first);
    const hint = origin !== undefined ? `write ${value}` : `remove the ${isTagged ? "tag" : "quotes"}`;
    return { hint, fix: isTagged ? undefined : rewrite(`${capitalize(hint)}.`, value) };
  }
  const types = typesOf(schema);
  if (types.includes("array") && schema.items?.type === "string") {
    // More than one word may be several entries.
    const isOne = /^[\w./@-]+$/.test(value);
    const fix = isOne ? rewrite("Put it in a list.", `[${source.slice(start, end)}]`) : undefined;
    return { hint: "write each entry as a list item", fix: fix && { ...fix, unsafe: true } };
  }
  const truth = types.includes("boolean") ? parseBooleanWord(value) : undefined;
  const hint = `write ${String(truth)}`;
  return truth === undefined ? undefined : { hint, fix: rewrite(`${capitalize(hint)}.`, String(truth)) };
}

/** `version: 1.0` is a number: quotes help only if the text would be valid. */
function quotesRemedy(schema: SchemaPart, node: ScalarNode, text: string): Remedy | undefined {
  const { pattern } = schema;
  const fits = pattern === undefined ? textForm(schema) === undefined : new RegExp(pattern, "u").test(text);
  if (!fits) return undefined;
  const hint = node.origin === undefined ? "put it in quotes" : `write ${quoteValue(text)}`;
  const { start, end } = node.origin ?? node;
  return {
    hint,
    fix: { description: `${capitalize(hint)}.`, edits: [{ start, end, text: JSON.stringify(text) }] },
  };
}

/** Whether a text is a valid number or boolean except for its quotes. */
function fitsAsWritten(schema: SchemaPart, value: string): boolean {
  const types = typesOf(schema);
  if (types.includes("boolean")) return value === "true" || value === "false";
  if (!/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(value)) return false;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const number = Number(value);
  if (number < minimum || number > maximum) return false;
  return types.includes("number") || (types.includes("integer") && Number.isInteger(number));
}

/** Longer lists of keys belong in the documentation. */
const maxKeysShown = 6;

/** `A budget takes "max_total_visits" and "max_tool_calls".`, for a closed object with few properties. */
export function allowedKeysAdvice(
  kind: string,
  { properties = {}, additionalProperties }: SchemaPart,
): string | undefined {
  const names = Object.keys(properties).filter((name) => name !== "extensions");
  if (additionalProperties !== false || names.length > maxKeysShown) return undefined;
  return `${capitalize(kind)} takes ${joinWords(names.map(quoteValue), "and")}.`;
}
