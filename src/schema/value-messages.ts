import { isNull, Key, type MappingNode, type Node, type ScalarNode, stringOf } from "../document/node.js";
import { codePoints } from "../document/scan-text.js";
import { isUnspaced, unspacedKey } from "../document/fault.js";
import { parseBooleanWord } from "../text/parse-scalar.js";
import { capitalize, joinWords } from "../text/wording.js";
import { describeKind, describeValue, nounOf, type SchemaContext, type Vocabulary } from "./describe-node.js";
import { describeFound, nearSuggestion, quoteValue, spelling, type Suggestion } from "./show-value.js";
import { isBeforeComment, isBlock, isFirstOnLine, isPlain } from "./source-style.js";
import { alternativesOf, isOptional } from "./subschemas.js";
import { knows, requiredIn, type SchemaError, type SchemaPart, typesOf } from "./validator.js";

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

export function valueMessage(error: SchemaError, node: Node, source: string, around: SchemaContext): string {
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

function typeMessage(
  subject: string,
  schema: SchemaPart,
  node: Node,
  source: string,
  around: SchemaContext,
): string {
  if (schema.enum !== undefined) {
    const names = namesIn(schema.enum);
    return mustBe(subject, joinWords(names.map(quoteValue), "or"), describeFound(node, source));
  }
  const types = typesOf(schema);
  if (node.kind !== "scalar")
    return mustBe(
      subject,
      expectation(schema),
      describeFound(node, source) + collectionHint(schema, node, around.schema),
    );
  if (types.includes("string") && (typeof node.value === "number" || typeof node.value === "boolean")) {
    return unquotedMessage(subject, schema, node, spelling(node, source));
  }
  return mustBe(subject, expectation(schema), describeFound(node, source) + scalarHint(schema, node, source));
}

/** `version: 1.0` is a number: quotes help only if the text would be valid. */
function unquotedMessage(subject: string, schema: SchemaPart, node: ScalarNode, text: string): string {
  const instead = typeof node.value === "number" ? `the number ${text}` : text;
  const words = schema.patternErrorMessage ?? formatOf(schema);
  const fits =
    schema.pattern === undefined ? words === undefined : new RegExp(schema.pattern, "u").test(text);
  const remedy = node.origin === undefined ? "put it in quotes" : `write ${quoteValue(text)}`;
  if (fits) return `${subject} must be a string, found ${instead}; ${remedy}.`;
  return `${subject} must be a string in quotes (${words ?? "of another form"}), found ${instead}.`;
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

export function valueAdvice(
  error: SchemaError,
  node: Node,
  source: string,
  words: Vocabulary | undefined,
  whole: SchemaPart | undefined,
): Suggestion {
  const isOfPack = words === undefined;
  const advice =
    formAdvice(error, node, source, words) ??
    (isOfPack && whole !== undefined && isNull(node) && isOptional(node, whole)
      ? "Give it a value, or remove it."
      : undefined);
  if (advice !== undefined) return { advice };
  const key = isOfPack ? keyInstead(error, node) : undefined;
  return key ?? nearSuggestion(stringOf(node) ?? "", namesIn(error.parentSchema.enum ?? []));
}

export const unspacedAdvice = "Put a space after the colon.";

/** Advice about how a value is written. */
function formAdvice(
  { parentSchema }: SchemaError,
  node: Node,
  source: string,
  words: Vocabulary | undefined,
): string | undefined {
  if (isUnspaced(node)) return unspacedAdvice;
  const types = typesOf(parentSchema);
  if (types.includes("object") && isOptionalShape(parentSchema) && node.kind !== "mapping") {
    if (isNull(node)) return "Write {} for an empty object.";
    const hasHint = node.kind === "scalar" && scalarHint(parentSchema, node, source) !== "";
    return hasHint ? undefined : allowedKeysAdvice(describeKind(node, words), parentSchema);
  }
  if (types.includes("string") && isBeforeComment(node, source)) {
    const isFree = parentSchema.enum === undefined && parentSchema.pattern === undefined;
    return `What follows "#" is a comment${isFree ? "; put text that starts with it in quotes" : ""}.`;
  }
  return undefined;
}

/** Whether an object has known properties and requires none of them. */
function isOptionalShape({ properties, required }: SchemaPart): boolean {
  return properties !== undefined && required === undefined;
}

/** The property that repeats the key of a thing. */
const ownNames: ReadonlyMap<string | undefined, string> = new Map([
  ["tool", "name"],
  ["prompt", "id"],
]);

/** Suggests the key where a name is ill-formed and the key is not: `name: Read File` of the tool `read_file`. */
function keyInstead({ keyword, parentSchema }: SchemaError, node: Node): Suggestion | undefined {
  const { key, parent } = node;
  if (keyword !== "pattern" || !(key instanceof Key) || !(parent?.key instanceof Key)) return undefined;
  const { text, isDuplicate } = parent.key;
  if (isDuplicate === true || ownNames.get(nounOf(parent)) !== key.text) return undefined;
  const fits = new RegExp(parentSchema.pattern ?? "", "u").test(text);
  return fits ? { advice: `Write ${quoteValue(text)}, the same as its key.`, replacement: text } : undefined;
}

const eachAsItem = "write each entry as a list item";

/** Lists and objects are easily mistaken for each other. */
function collectionHint(schema: SchemaPart, node: Node, whole: SchemaPart = {}): string {
  const types = typesOf(schema);
  const { additionalProperties: entry } = schema;
  if (node.kind === "sequence" && types.includes("object") && typeof entry === "object") {
    const hasId = alternativesOf(entry, whole).some((form) => knows(form, "id"));
    return `; use the ${hasId ? '"id"' : "name"} of each entry as its key`;
  }
  if (node.kind !== "mapping" || !types.includes("array")) return "";
  if (node.entries.length === 0) return "; write [] for an empty list";
  const isItem = alternativesOf(schema.items ?? {}, whole).some((form) => isSingleItem(node, form));
  if (!isItem) return `; ${eachAsItem}`;
  return isBlock(node)
    ? `; put "- " before ${quoteValue(node.entries[0]?.key.text ?? "")}`
    : "; put it in [ ]";
}

/** Looks like a single item: it has a required key, or mostly known keys. */
function isSingleItem({ entries }: MappingNode, form: SchemaPart): boolean {
  const known = entries.filter(({ key }) => knows(form, key.text));
  const required = new Set(requiredIn(form));
  return (
    known.some(({ key, value }) => required.has(key.text) && value.kind === "scalar") ||
    (form.properties !== undefined && 2 * known.length > entries.length)
  );
}

function scalarHint(schema: SchemaPart, node: ScalarNode, source: string): string {
  const { value } = node;
  const types = typesOf(schema);
  if (fitsAsWritten(schema, value)) {
    if (node.origin !== undefined) return `; write ${String(value)}`;
    return `; remove the ${isPlain(node, source) ? "tag" : "quotes"}`;
  }
  if (typeof value !== "string") return "";
  if (value.endsWith(",") && isPlain(node, source) && fitsAsWritten(schema, value.slice(0, -1)))
    return "; remove the comma";
  if (types.includes("object") && isPlain(node, source) && unspacedKey.test(value))
    return isFirstOnLine(node, source) ? "; put a space after the colon" : "";
  if (types.includes("array") && schema.items?.type === "string") return listHint(value);
  const truth = types.includes("boolean") ? parseBooleanWord(value) : undefined;
  return truth === undefined ? "" : `; write ${String(truth)}`;
}

/** The list that a text spells, with or without brackets and quotes. */
function listHint(value: string): string {
  const names = value
    .trim()
    .replace(/^[[({]|[\])}]$/g, "")
    .split(",")
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((part) => part !== "");
  const areNames = names.every((name) => !/[\s;()[\]{}"']/.test(name));
  return `; ${areNames ? `write [${names.map(quoteValue).join(", ")}]` : eachAsItem}`;
}

/** Whether a text is a valid number or boolean except for its quotes. */
function fitsAsWritten(schema: SchemaPart, value: unknown): boolean {
  const types = typesOf(schema);
  if (typeof value !== "string") return false;
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
