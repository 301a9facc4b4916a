import { unescapeSegment, type Node } from "./node.js";

/** RFC 6901: without leading zeros. */
const arrayIndex = /^(?:0|[1-9][0-9]*)$/;

/** What one segment of a JSON Pointer leads to. */
export function childAt(node: Node | undefined, segment: string): Node | undefined {
  if (node?.kind === "sequence") return arrayIndex.test(segment) ? node.items[Number(segment)] : undefined;
  return node?.kind === "mapping" ? node.get(unescapeSegment(segment)) : undefined;
}

/** The node a JSON Pointer leads to. */
export function findNode(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of segmentsOf(pointer)) node = childAt(node, segment);
  return node;
}

/** Whether a JSON Pointer leads to the place of another, or into it. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer.startsWith(outer) && (pointer.length === outer.length || pointer[outer.length] === "/");
}

export function segmentsOf(pointer: string): readonly string[] {
  return pointer.split("/").slice(1);
}
