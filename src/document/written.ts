import { childAt, segmentsOf } from "./find-node.js";
import { Key, type Node, type Span } from "./node.js";

/** The nodes on the way to a place, from the root on, as far as there are any. */
export function nodesAlong(root: Node, pointer: string): readonly Node[] {
  const way: Node[] = [root];
  for (const segment of segmentsOf(pointer)) {
    const node = childAt(way.at(-1), segment);
    if (node === undefined) break;
    way.push(node);
  }
  return way;
}

/** The text of an entry or an item. */
export function entrySpan({ key, start, end }: Node): Span {
  return key instanceof Key ? { start: key.start, end: Math.max(key.end, end) } : { start, end };
}

/** Whether a node is written inside the one that holds it, and not brought there by an alias or a merge key. */
export function isWrittenInParent(node: Node): boolean {
  return node.parent === null || containsOffset(node.parent, entrySpan(node).start);
}

/** Whether a node is written in its place, and with it all that holds it. */
export function isWrittenInPlace(node: Node): boolean {
  for (let part: Node | null = node; part !== null; part = part.parent)
    if (!isWrittenInParent(part)) return false;
  return true;
}

/** Whether the text at an offset is that of the value at the pointer, and not of one that an alias repeats there. */
export function isWrittenAt(root: Node, pointer: string, offset: number): boolean {
  const way = nodesAlong(root, pointer);
  return way.every(isWrittenInParent) && way.slice(-1).every((node) => containsOffset(entrySpan(node), offset));
}

/** With its end: there the cursor is when a name was just written. */
export function containsOffset({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}
