import { escapeSegment, Key, type Node, type Span, stringOf, unescapeSegment } from "./node.js";

/** RFC 6901: without leading zeros. */
const arrayIndex = /^(?:0|[1-9][0-9]*)$/;

function childAt(node: Node | undefined, segment: string): Node | undefined {
  if (node?.kind === "sequence") return arrayIndex.test(segment) ? node.items[Number(segment)] : undefined;
  return node?.kind === "mapping" ? node.get(unescapeSegment(segment)) : undefined;
}

export function findNode(root: Node, pointer: string): Node | undefined {
  return segmentsOf(pointer).reduce<Node | undefined>((node, segment) => childAt(node, segment), root);
}

export function isWithin(pointer: string, outer: string): boolean {
  return pointer.startsWith(outer) && (pointer.length === outer.length || pointer[outer.length] === "/");
}

function segmentsOf(pointer: string): readonly string[] {
  return pointer.split("/").slice(1);
}

export function nodesAlong(root: Node, pointer: string): readonly Node[] {
  const path: Node[] = [root];
  for (const segment of segmentsOf(pointer)) {
    const node = childAt(path.at(-1), segment);
    if (node === undefined) break;
    path.push(node);
  }
  return path;
}

export function entrySpan({ key, start, end }: Node): Span {
  return key instanceof Key ? { start: key.start, end: Math.max(key.end, end) } : { start, end };
}

/** Whether a node is written inside its parent, not added by an alias or a merge key. */
export function isWrittenInParent(node: Node): boolean {
  return node.parent === null || containsOffset(node.parent, entrySpan(node).start);
}

export function isWrittenInPlace(node: Node): boolean {
  for (let part: Node | null = node; part !== null; part = part.parent)
    if (!isWrittenInParent(part)) return false;
  return true;
}

/** Whether the value at the pointer is written at the offset, not repeated there by an alias. */
export function isWrittenAt(root: Node, pointer: string, offset: number): boolean {
  const path = nodesAlong(root, pointer);
  const last = path.at(-1) ?? root;
  return path.every(isWrittenInParent) && containsOffset(entrySpan(last), offset);
}

/** Includes the end, where the cursor is after typing a name. */
export function containsOffset({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

/** Keys that identify a list item, best first. */
const identifyingKeys = [["name"], ["id"], ["path"], ["type"], ["uses"], ["provider", "model"]];

/** Identifies a finding across runs: list items are named by their content, so that moving them changes nothing. */
export function stablePointer(root: Node | undefined, pointer: string): string {
  let node = root;
  let stable = "";
  for (const segment of segmentsOf(pointer)) {
    const isItem = node?.kind === "sequence";
    node = childAt(node, segment);
    stable += `/${(isItem ? itemIdentity(node) : undefined) ?? segment}`;
  }
  return stable;
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
