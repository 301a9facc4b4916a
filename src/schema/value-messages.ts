import {
  hasProperty,
  isNull,
  Key,
  type MappingNode,
  type Node,
  numberOf,
  type ScalarNode,
  stringOf,
} from "../document/node.js";
import { findNode } from "../document/pointers.js";
import { codePoints } from "../document/scan-text.js";
import {
  arrowAdvice,
  findUnicodeSpaceAfterMark,
  multilineTextKeys,
  unspacedEntry,
  unspacedKey,
} from "../document/typos.js";
import { parseBooleanWord } from "../text/parse-scalar.js";
import { capitalize, joinWords } from "../text/wording.js";
import { describeKind, describeValue, nounOf, type Vocabulary } from "./describe-node.js";
import { type Around, eachAsItem, itemHint } from "./item-hints.js";
import { isForeign } from "./misindented-sections.js";
import { type Noun, shapeOf } from "./pack-places.js";
import { describeFound, nearSuggestion, quoteValue, spelling, type Suggestion } from "./show-value.js";
import { isBeforeComment, isBlock, isFirstOnLine, isLikeText, isPlain } from "./source-style.js";
import { alternativesOf, isOptional } from "./subschemas.js";
import { knows, type SchemaError, type SchemaPart, typesOf } from "./validator.js";

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

function namesIn(values: readonly unknown[]): readonly string[] {
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
    return mustBe(
      subject,
      expectation(schema),
      describeFound(node, source) + collectionHint(schema, node, around),
    );
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

/** What to do about a value that is a part of its key. */
export function gluedAdvice(value: Node): string | undefined {
  const text = unspacedEntry(value);
  if (text === undefined) return undefined;
  const arrow = arrowAdvice(text);
  return arrow === undefined
    ? (findUnicodeSpaceAfterMark(text, 0)?.message ?? "Put a space after the colon.")
    : `${capitalize(arrow)}.`;
}

/** What to do about a value that is wrong, where it can be told. */
export function valueAdvice(
  error: SchemaError,
  node: Node,
  source: string,
  words: Vocabulary | undefined,
  whole: SchemaPart | undefined,
): Suggestion {
  // What another schema can do without, the rules about such documents may ask for.
  const isOfPack = words === undefined;
  const advice = formAdvice(error, node, source, words) ?? (isOfPack ? emptyAdvice(node, whole) : undefined);
  if (advice !== undefined) return { advice };
  const key = isOfPack ? keyInstead(error, node) : undefined;
  return key ?? nearSuggestion(stringOf(node) ?? "", namesIn(error.parentSchema.enum ?? []));
}

/** What to do about the way in which it is written. */
function formAdvice(
  { parentSchema }: SchemaError,
  node: Node,
  source: string,
  words: Vocabulary | undefined,
): string | undefined {
  const glued = gluedAdvice(node);
  if (glued !== undefined) return glued;
  if (isRequiredAmongProperties(node)) return 'Put it beside "properties".';
  const types = typesOf(parentSchema);
  const space = types.some(isCollection) ? spaceIn(node, source) : undefined;
  if (space !== undefined) return space;
  if (mayBeEmpty(parentSchema) && node.kind !== "mapping") {
    if (isNull(node)) return "Write {} for an empty object.";
    const bounds = boundsAdvice(node, parentSchema, source);
    const takes = bounds ?? allowedKeysAdvice(describeKind(node, words), parentSchema);
    return hasHint(parentSchema, node, source) ? undefined : takes;
  }
  if (types.includes("string") && isBeforeComment(node, source)) {
    return `What follows "#" is a comment${isFree(parentSchema) ? "; put text that starts with it in quotes" : ""}.`;
  }
  if (types.includes("string") && isFree(parentSchema) && isTextWithColons(node))
    return `If it is text, put "|" after ${quoteValue(`${node.key.text}:`)}.`;
  return undefined;
}

/** What to do about a null in a place that may be left out. */
function emptyAdvice(node: Node, whole: SchemaPart | undefined): string | undefined {
  const isNeedless = whole !== undefined && isNull(node) && isOptional(node, whole);
  return isNeedless ? "Give it a value, or remove it." : undefined;
}

/** What the things that are known by their keys are called besides. */
const ownNames: ReadonlyMap<Noun | undefined, string> = new Map([
  ["tool", "name"],
  ["prompt", "id"],
]);

/** What to do about a name of another form than it must have, where the key has that form: `name: Read File`. */
function keyInstead({ keyword, parentSchema }: SchemaError, node: Node): Suggestion | undefined {
  const { key, parent } = node;
  if (keyword !== "pattern" || !(key instanceof Key) || !(parent?.key instanceof Key)) return undefined;
  const { text, isDuplicate } = parent.key;
  if (isDuplicate === true || ownNames.get(nounOf(parent)) !== key.text) return undefined;
  const fits = new RegExp(parentSchema.pattern ?? "", "u").test(text);
  return fits ? { advice: `Write ${quoteValue(text)}, the same as its key.`, meant: text } : undefined;
}

/** Whether the message says already what to write. */
function hasHint(schema: SchemaPart, node: Node, source: string): boolean {
  return node.kind === "scalar" && scalarHint(schema, node, source) !== "";
}

function isFree(schema: SchemaPart): boolean {
  return schema.enum === undefined && schema.pattern === undefined;
}

/** Lines such as `Role: helper` below a key are taken for an object. */
function isTextWithColons(node: Node): node is MappingNode & { key: Key } {
  if (node.kind !== "mapping" || !(node.key instanceof Key) || !isBlock(node)) return false;
  return isForText(node, node.key) && node.entries.some(({ key }) => isLikeText(key.text));
}

/** Whether a text of several lines may stand in this place. Among the fragments a prompt or a tool may be lost. */
function isForText(node: MappingNode, key: Key): boolean {
  return node.parent?.pointer === "/fragments"
    ? isForeign(node, shapeOf("prompt"))
    : multilineTextKeys.has(key.text);
}

function isCollection(type: string): boolean {
  return type === "object" || type === "array";
}

/** A key or a dash that a strange space turns into text. */
function spaceIn(node: Node, source: string): string | undefined {
  if (node.kind !== "scalar" || !isPlain(node, source)) return undefined;
  return findUnicodeSpaceAfterMark(String(node.value), 0)?.message;
}

/** The list of required parameters, indented too far. A parameter may be called so, too. */
function isRequiredAmongProperties({ kind, key, parent }: Node): boolean {
  if (kind !== "sequence" || !(key instanceof Key) || key.text !== "required") return false;
  return (
    !hasProperty(parent?.parent, "required") && parent?.key instanceof Key && parent.key.text === "properties"
  );
}

/** Whether an object needs none of the properties that it may have. */
function mayBeEmpty(schema: SchemaPart): boolean {
  return (
    typesOf(schema).includes("object") && schema.properties !== undefined && schema.required === undefined
  );
}

/** Lists and objects are easily mistaken for each other, and a thing for its name. */
function collectionHint(schema: SchemaPart, node: Node, around: Around): string {
  const types = typesOf(schema);
  if (node.kind === "sequence" && types.includes("object")) return namedHint(schema, around);
  if (node.kind === "mapping" && types.includes("array"))
    return `; ${dashesHint(node) ?? itemHint(node, schema.items ?? {}, around)}`;
  const name = types.includes("string") && isForNames(node) ? onlyNameIn(node) : undefined;
  return name === undefined || name === "" ? "" : `; write ${quoteValue(name)}`;
}

/** What to do about a list in the place of an object, where that has things by their names. */
function namedHint({ additionalProperties: thing }: SchemaPart, { schema = {} }: Around): string {
  if (typeof thing !== "object") return "";
  const hasId = alternativesOf(thing, schema).some((form) => knows(form, "id"));
  return `; use the ${hasId ? '"id"' : "name"} of each entry as its key`;
}

const afterDashes = "put a space after each dash";

/** What to do about list items whose dash is taken for a part of a key. */
function dashesHint(node: MappingNode): string | undefined {
  const dashed = node.entries.filter(({ key }) => /^-[^\s-]/.test(key.text));
  if (dashed.length === 0) return undefined;
  return isBlock(node) && dashed.length === node.entries.length ? afterDashes : eachAsItem;
}

function onlyNameIn(node: Node): string | undefined {
  if (node.kind === "mapping") return stringOf(node.get("name") ?? node.get("target"));
  return node.kind === "sequence" && node.items.length === 1 ? stringOf(node.items[0]) : undefined;
}

const namingProperties = new Set(["entry", "prompt_task", "on_max_visits", "state", "skills"]);

/** Whether a string in this place is the name of something, not a text. */
function isForNames({ key, parent }: Node): boolean {
  if (!(key instanceof Key)) return true;
  return namingProperties.has(key.text) || (parent?.key instanceof Key && parent.key.text === "on_event");
}

/** Whether a prompt or a state, whichever is named in this place, is called so. Of a skill, or where there are none, it cannot be told. */
function mayBeNamed({ key, parent }: Node, name: string): boolean {
  if (key instanceof Key && key.text === "skills") return true;
  let root = parent;
  while (root?.parent) root = root.parent;
  const isPrompt = (key instanceof Key && key.text === "prompt_task") || parent?.pointer === "/agents";
  const things = root && findNode(root, isPrompt ? "/prompts" : "/workflow/states");
  return things?.kind !== "mapping" || things.entry(name) !== undefined;
}

function scalarHint(schema: SchemaPart, node: ScalarNode, source: string): string {
  const { value } = node;
  const types = typesOf(schema);
  if (fitsAsWritten(schema, value)) {
    if (node.origin !== undefined) return `; write ${String(value)}`;
    return `; remove the ${isPlain(node, source) ? "tag" : "quotes"}`;
  }
  if (typeof value === "string" && value.endsWith(",") && isPlain(node, source))
    if (fitsAsWritten(schema, value.slice(0, -1))) return "; remove the comma";
  if (types.includes("object") && isPlain(node, source)) {
    const text = String(value);
    // With more words, the arrow is a part of prose.
    const arrow = text.split(/\s+/, 4).length < 4 ? arrowAdvice(text) : undefined;
    const advice = unspacedKey.test(text) ? "put a space after the colon" : arrow;
    if (advice !== undefined) return isFirstOnLine(node, source) ? `; ${advice}` : "";
  }
  if (types.includes("array") && typeof value === "string" && schema.items?.type === "string")
    return listHint(value, isPlain(node, source));
  const truth = types.includes("boolean") && typeof value === "string" ? parseBooleanWord(value) : undefined;
  return truth === undefined ? "" : `; write ${String(truth)}`;
}

function listHint(value: string, isPlain: boolean): string {
  if (isPlain && findUnicodeSpaceAfterMark(value, 0) !== undefined) return "";
  if (isPlain && /^-[^\s-]/.test(value)) return `; ${afterDashes}`;
  const names = namesInList(value);
  return `; ${names.some(isSeveral) ? eachAsItem : `write [${names.map(quoteValue).join(", ")}]`}`;
}

/** What a text lists, with or without brackets around it and quotes in it. */
function namesInList(list: string): string[] {
  return list
    .trim()
    .replace(/^[[({]|[\])}]$/g, "")
    .split(",")
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((part) => part !== "");
}

/** Whether a part of a list may be more than one name, so that nothing can be spelled for its author. */
function isSeveral(part: string): boolean {
  return /[\s;()[\]{}"']/.test(part);
}

/** Whether a text would do as the number or the truth value that it says. */
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

/** More names than this are for the documentation to tell. */
const mostNames = 6;

/** `A budget takes "max_total_visits" and "max_tool_calls".`, of an object that has few properties and no others. */
export function allowedKeysAdvice(
  kind: string,
  { properties = {}, additionalProperties }: SchemaPart,
): string | undefined {
  const names = Object.keys(properties);
  if (additionalProperties !== false || names.length > mostNames) return undefined;
  return `${capitalize(kind)} takes ${joinWords(names.map(quoteValue), "and")}.`;
}

/** `Write { min: 0, max: 1 }.`, of two numbers in the place of an object that has them by these names. */
function boundsAdvice(node: Node, schema: SchemaPart, source: string): string | undefined {
  if (node.kind !== "sequence" || !knows(schema, "min") || !knows(schema, "max")) return undefined;
  const [min, max] = node.items.map(numberOf);
  if (node.items.length !== 2 || min === undefined || max === undefined) return undefined;
  // `.inf` is no number of the schema.
  if (min > max || !Number.isFinite(max - min)) return undefined;
  const quote = node.key instanceof Key && source.startsWith('"', node.key.start) ? '"' : "";
  return `Write { ${quote}min${quote}: ${min}, ${quote}max${quote}: ${max} }.`;
}
