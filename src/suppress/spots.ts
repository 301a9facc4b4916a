import { isWrittenInParent, entrySpan } from "../document/written.js";
import { childrenOf, Key, type Node, type Span } from "../document/node.js";

/** The text of an entry or an item, or of the value of an entry, which may stand below its key. */
export interface NodeSpan extends Span {
  readonly node: Node;
}

/**
 * In the order of the text; of those that begin together, the longer one first. The copies that aliases make are left
 * out: a short file may have very many.
 */
export function nodeSpansOf(root: Node, text: string): readonly NodeSpan[] {
  const spots: NodeSpan[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of childrenOf(node)) {
      if (!isWrittenInParent(child)) continue;
      spots.push({ ...entrySpan(child), node: child });
      if (hasOwnStart(child, text)) spots.push({ start: child.start, end: child.end, node: child });
      waiting.push(child);
    }
  }
  return spots.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether the value of an entry has a beginning of its own: a block has only that of its first entry or item. */
function hasOwnStart({ key, kind, start, end }: Node, text: string): boolean {
  const isWritten = key instanceof Key && start >= key.end && start < end;
  return isWritten && (kind === "scalar" || "{[*".includes(text.charAt(start)));
}

export const spanEnd = (spot: NodeSpan) => spot.end;
