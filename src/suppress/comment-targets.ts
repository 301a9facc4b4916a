import type { Diagnostic } from "../diagnostic.js";
import type { Comment, Document } from "../document/document.js";
import { linePrefix, lineStart } from "../document/edit-context.js";
import { lowerBound, startOf } from "../document/line-map.js";
import { childrenOf, Key, type Node, type Span } from "../document/node.js";
import { entrySpan, isWrittenInParent, nodesAlong } from "../document/pointers.js";

/** The dash of an item of which nothing else stands on the line, but perhaps its anchor and its tag. */
const loneDash = /^\s*(?:-\s+)+(?:[&!]\S*\s+)*$/;

/**
 * What each comment speaks of. Alone on its line, a comment speaks of the entry or item below it; behind
 * something, of the entries and items that begin on its line, or else of the one that ends there. An item begins at its
 * dash.
 */
export function pointersByComment(
  document: Document,
  comments: readonly Comment[],
  spots: readonly NodeSpan[],
): ReadonlyMap<Comment, readonly string[]> {
  const pointers = new Map<Comment, readonly string[]>();
  const byEnd = [...spots].sort((a, b) => a.end - b.end || b.start - a.start);
  for (const comment of comments) {
    const start = lineStart(document, comment.start);
    const prefix = linePrefix(document, comment.start);
    const isAlone = prefix.trim() === "";
    const before = isAlone ? [] : spansOnLine(spots, byEnd, start, comment.start);
    const isAbove = isAlone || (before.length === 0 && loneDash.test(prefix));
    const chosen = isAbove ? firstSpansAfter(spots, comment.end) : before;
    pointers.set(
      comment,
      chosen.map(({ node }) => node.pointer),
    );
  }
  return pointers;
}

/** Several may begin at one place: an item and its first entry. */
function firstSpansAfter(spots: readonly NodeSpan[], offset: number): readonly NodeSpan[] {
  const first = lowerBound(spots, offset, startOf);
  let next = first;
  while (next < spots.length && spots[next]?.start === spots[first]?.start) next++;
  return spots.slice(first, next);
}

function spansOnLine(
  spots: readonly NodeSpan[],
  byEnd: readonly NodeSpan[],
  start: number,
  commentStart: number,
): readonly NodeSpan[] {
  const chosen: NodeSpan[] = [];
  for (let i = lowerBound(spots, start, startOf); i < spots.length; i++) {
    const spot = spots[i];
    if (spot === undefined || spot.start >= commentStart) break;
    const last = chosen.at(-1);
    // What is inside of another is covered with it.
    if (last === undefined || spot.start >= last.end) chosen.push(spot);
  }
  if (chosen.length > 0) return chosen;
  const ending = byEnd[lowerBound(byEnd, commentStart + 1, spanEnd) - 1];
  return ending === undefined || ending.end <= start ? [] : [ending];
}

/** The text of an entry or an item, or of the value of an entry, which may stand below its key. */
interface NodeSpan extends Span {
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

const spanEnd = (spot: NodeSpan) => spot.end;

/** Knows in whose text something stands that aliases and merge keys bring to other places. */
export class WrittenPointers {
  constructor(
    private readonly document: Document,
    private readonly spans: readonly NodeSpan[],
  ) {}

  /** The pointer of a finding, and those of the values in whose text it stands, or an alias on the way to it. */
  pointersOf({ pointer, range }: Diagnostic): readonly string[] {
    const { root, aliases, lines } = this.document;
    if (pointer === "" || root === undefined || aliases.targets.size === 0) return [pointer];
    const pointers = [pointer, this.innermost(lines.offset(range.start))];
    for (const node of nodesAlong(root, pointer)) {
      if (node.parent !== null && !isWrittenInParent(node))
        pointers.push(this.innermost(entrySpan(node.parent).start));
    }
    return pointers;
  }

  private innermost(offset: number): string {
    let node: Node | null | undefined = this.spans[lowerBound(this.spans, offset + 1, startOf) - 1]?.node;
    while (node && entrySpan(node).end < offset) node = node.parent;
    return node?.pointer ?? "";
  }
}
