import { arrowAdvice, gluedText } from "../document/glued-key.js";
import { isNull, Key, type Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { findGluedSpace } from "../document/strange-space.js";
import { nameAdvice } from "../words/nearest-name.js";
import { capitalized } from "../words/wording.js";
import type { SchemaError, SchemaPart } from "./validator.js";
import { namesIn, typesOf } from "./words.js";
import { isBeforeComment, isPlain } from "./written-as.js";

/** What to do about a value that is a part of its key. */
export function gluedAdvice(value: Node): string | undefined {
  const text = gluedText(value);
  if (text === undefined) return undefined;
  const arrow = arrowAdvice(text);
  return arrow === undefined
    ? (findGluedSpace(text, 0)?.message ?? "Put a space after the colon.")
    : `${capitalized(arrow)}.`;
}

/** What to do about a value that is wrong, where it can be told. */
export function valueAdvice({ parentSchema }: SchemaError, node: Node, source: string): string | undefined {
  const glued = gluedAdvice(node);
  if (glued !== undefined) return glued;
  if (isRequiredAmongProperties(node)) return 'Put it beside "properties".';
  const types = typesOf(parentSchema);
  const space = types.some(isCollection) ? spaceIn(node, source) : undefined;
  if (space !== undefined) return space;
  if (isNull(node) && mayBeEmpty(parentSchema)) return "Write {} for an empty object.";
  if (types.includes("string") && isBeforeComment(node, source)) {
    const isFree = parentSchema.enum === undefined && parentSchema.pattern === undefined;
    return `What follows "#" is a comment${isFree ? "; put text that starts with it in quotes" : ""}.`;
  }
  return nameAdvice(stringOf(node) ?? "", namesIn(parentSchema.enum ?? []));
}

function isCollection(type: string): boolean {
  return type === "object" || type === "array";
}

/** A key or a dash that a strange space turns into text. */
function spaceIn(node: Node, source: string): string | undefined {
  if (node.kind !== "scalar" || !isPlain(node, source)) return undefined;
  return findGluedSpace(String(node.value), 0)?.message;
}

/** The list of required parameters, indented too far. A parameter may be called so, too. */
function isRequiredAmongProperties({ kind, key, parent }: Node): boolean {
  if (kind !== "sequence" || !(key instanceof Key) || key.text !== "required") return false;
  const around = parent?.parent;
  const isThere = around?.kind === "mapping" && around.get("required") !== undefined;
  return !isThere && parent?.key instanceof Key && parent.key.text === "properties";
}

/** Whether an object needs none of the properties that it may have. */
function mayBeEmpty(schema: SchemaPart): boolean {
  return (
    typesOf(schema).includes("object") && schema.properties !== undefined && schema.required === undefined
  );
}
