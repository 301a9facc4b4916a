import { escapeSegment, Key, type Node, type Span, stringOf, unescapeSegment } from "./node.js";

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
  return (
    way.every(isWrittenInParent) && way.slice(-1).every((node) => containsOffset(entrySpan(node), offset))
  );
}

/** With its end: there the cursor is when a name was just written. */
export function containsOffset({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

/** What tells an item of a list from the others, the best first. */
const identifyingKeys = [["name"], ["id"], ["path"], ["type"], ["uses"], ["provider", "model"]];

/** The pointers by which findings are known again in the next run. */
export function stablePointers<Found extends { readonly pointer: string }>(
  root: Node | undefined,
  found: readonly Found[],
): ReadonlyMap<Found, string> {
  return new Map(found.map((each) => [each, stablePointer(root, each.pointer)]));
}

/** A pointer with the items of lists named by what they are instead of where they stand: it outlasts their moving. */
function stablePointer(root: Node | undefined, pointer: string): string {
  let node = root;
  let lasting = "";
  for (const segment of segmentsOf(pointer)) {
    const isItem = node?.kind === "sequence";
    node = childAt(node, segment);
    lasting += `/${(isItem ? itemIdentity(node) : undefined) ?? segment}`;
  }
  return lasting;
}

function itemIdentity(item: Node | undefined): string | undefined {
  if (item?.kind === "scalar") return `=${escapeSegment(String(item.value))}`;
  if (item?.kind !== "mapping") return undefined;
  for (const keys of identifyingKeys) {
    const parts = keys.flatMap((key) => {
      const value = stringOf(item.get(key));
      return value === undefined ? [] : [`${key}=${escapeSegment(value)}`];
    });
    if (parts.length === keys.length) return parts.join(",");
  }
  return undefined;
}
