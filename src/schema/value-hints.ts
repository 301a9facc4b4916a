import { arrowAdvice, unspacedKey } from "../document/glued-key.js";
import { Key, type MappingNode, type Node, type ScalarNode } from "../document/node.js";
import { findNode } from "../document/find-node.js";
import { stringOf } from "../document/spelled-values.js";
import { findUnicodeSpaceAfterMark } from "../document/strange-space.js";
import { parseBooleanWord } from "../words/truth-word.js";
import { type Around, eachAsItem, itemHint } from "./item-hint.js";
import { alternativesOf } from "./parts-for.js";
import { quoteValue } from "./show-value.js";
import { knows, type SchemaPart, typesOf } from "./validator.js";
import { isBlock, isFirstOnLine, isPlain } from "./written-as.js";

/** Lists and objects are easily mistaken for each other, and a thing for its name. */
export function collectionHint(schema: SchemaPart, node: Node, around: Around): string {
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
export function isForNames({ key, parent }: Node): boolean {
  if (!(key instanceof Key)) return true;
  return namingProperties.has(key.text) || (parent?.key instanceof Key && parent.key.text === "on_event");
}

/** Whether a prompt or a state, whichever is named in this place, is called so. Of a skill, or where there are none, it cannot be told. */
export function mayBeNamed({ key, parent }: Node, name: string): boolean {
  if (key instanceof Key && key.text === "skills") return true;
  let root = parent;
  while (root?.parent) root = root.parent;
  const isPrompt = (key instanceof Key && key.text === "prompt_task") || parent?.pointer === "/agents";
  const things = root && findNode(root, isPrompt ? "/prompts" : "/workflow/states");
  return things?.kind !== "mapping" || things.entry(name) !== undefined;
}

export function scalarHint(schema: SchemaPart, node: ScalarNode, source: string): string {
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
