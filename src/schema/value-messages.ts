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
  const isText = typesOf(schema).includes("string");
  if (isText && (typeof node.value === "number" || typeof node.value === "boolean"))
    return unquotedMessage(subject, schema, node, spelling(node, source));
  return mustBe(subject, expectation(schema), found + scalarHint(schema, node, source));
}

/** `version: 1.0` is a number: quotes help only if the text would be valid. */
function unquotedMessage(subject: string, schema: SchemaPart, node: ScalarNode, text: string): string {
  const instead = typeof node.value === "number" ? `the number ${text}` : text;
  const words = textForm(schema);
  const fits =
    schema.pattern === undefined ? words === undefined : new RegExp(schema.pattern, "u").test(text);
  const remedy = node.origin === undefined ? "put it in quotes" : `write ${quoteValue(text)}`;
  if (fits) return `${subject} must be a string, found ${instead}; ${remedy}.`;
  return `${subject} must be a string in quotes (${words ?? "of another form"}), found ${instead}.`;
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

export function valueAdvice(error: SchemaError, words: Vocabulary | undefined): Suggestion {
  const { node, part: schema } = error;
  if (isUnspaced(node)) return { advice: unspacedAdvice };
  if (isNull(node)) return { advice: "Give it a value." };
  if (typesOf(schema).includes("object") && requiredIn(schema) === undefined)
    return { advice: allowedKeysAdvice(describeKind(node, words), schema) };
  const key = words === undefined ? keyInstead(error) : undefined;
  return key ?? nearSuggestion(stringOf(node) ?? "", namesIn(schema.enum ?? []));
}

export const unspacedAdvice = "Put a space after the colon.";

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

function scalarHint(schema: SchemaPart, node: ScalarNode, source: string): string {
  const { value, start, origin } = node;
  if (typeof value !== "string") return "";
  if (fitsAsWritten(schema, value)) {
    if (origin !== undefined) return `; write ${value}`;
    return `; remove the ${source.startsWith(value.charAt(0), start) ? "tag" : "quotes"}`;
  }
  const types = typesOf(schema);
  if (types.includes("array") && schema.items?.type === "string") return "; write each entry as a list item";
  const truth = types.includes("boolean") ? parseBooleanWord(value) : undefined;
  return truth === undefined ? "" : `; write ${String(truth)}`;
}

/** Whether a text is a valid number or boolean except for its quotes. */
function fitsAsWritten(schema: SchemaPart, value: string): boolean {
  const types = typesOf(schema);
  if (types.includes("boolean")) return value === "true" || value === "false";
  if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return false;
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
