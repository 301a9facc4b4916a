import { arrowAdvice, unspacedEntry } from "../document/glued-key.js";
import { isNull, Key, type MappingNode, type Node } from "../document/node.js";
import { hasProperty, stringOf } from "../document/spelled-values.js";
import { findUnicodeSpaceAfterMark } from "../document/strange-space.js";
import { multilineTextKeys } from "../document/text-keys.js";
import { isForeign } from "./misindented-sections.js";
import { shapeOf } from "./pack-places.js";
import { capitalize } from "../words/wording.js";
import { isOptional } from "./parts-for.js";
import { type Suggestion, nearSuggestion, quoteValue } from "./show-value.js";
import { boundsAdvice, allowedKeysAdvice } from "./takes.js";
import { describeKind, nounOf } from "./thing.js";
import { type SchemaError, type SchemaPart, typesOf } from "./validator.js";
import { scalarHint } from "./value-hints.js";
import type { Noun } from "./pack-places.js";
import type { Vocabulary } from "./vocabulary.js";
import { namesIn } from "./words.js";
import { isBeforeComment, isBlock, isLikeText, isPlain } from "./written-as.js";

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
  return node.parent?.pointer === "/fragments" ? isForeign(node, shapeOf("prompt")) : multilineTextKeys.has(key.text);
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
