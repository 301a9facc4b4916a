import type { Node, ScalarNode } from "../document/node.js";

/** What JSON Schema calls the types of values. */
export const types: readonly string[] = ["string", "number", "integer", "boolean", "array", "object", "null"];

/** Whether a value is the name of a type. */
export function isType(node: Node): node is ScalarNode {
  return node.kind === "scalar" && typeof node.value === "string" && types.includes(node.value);
}
