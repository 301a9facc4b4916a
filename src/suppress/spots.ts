import { isWrittenInside, writtenSpan } from "../document/written.js";
import { childrenOf, type Node, type Span } from "../document/node.js";

/** The text of an entry or an item. */
export interface Spot extends Span {
  readonly node: Node;
}

/**
 * In the order of the text; of those that begin together, the longer one first. The copies that aliases make are left
 * out: a short file may have very many.
 */
export function spotsOf(root: Node): readonly Spot[] {
  const spots: Spot[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of childrenOf(node)) {
      if (!isWrittenInside(child)) continue;
      spots.push({ ...writtenSpan(child), node: child });
      waiting.push(child);
    }
  }
  return spots.sort((a, b) => a.start - b.start || b.end - a.end);
}

export const endOf = (spot: Spot) => spot.end;
