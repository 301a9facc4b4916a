import { isWrittenInside, writtenSpan } from "../document/written.js";
import { childrenOf, Key, type Node, type Span } from "../document/node.js";

/** The text of an entry or an item, or of the value of an entry, which may stand below its key. */
export interface Spot extends Span {
  readonly node: Node;
}

/**
 * In the order of the text; of those that begin together, the longer one first. The copies that aliases make are left
 * out: a short file may have very many.
 */
export function spotsOf(root: Node, text: string): readonly Spot[] {
  const spots: Spot[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of childrenOf(node)) {
      if (!isWrittenInside(child)) continue;
      spots.push({ ...writtenSpan(child), node: child });
      if (beginsByItself(child, text)) spots.push({ start: child.start, end: child.end, node: child });
      waiting.push(child);
    }
  }
  return spots.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether the value of an entry has a beginning of its own: a block has only that of its first entry or item. */
function beginsByItself({ key, kind, start, end }: Node, text: string): boolean {
  const isWritten = key instanceof Key && start >= key.end && start < end;
  return isWritten && (kind === "scalar" || "{[*".includes(text.charAt(start)));
}

export const endOf = (spot: Spot) => spot.end;
