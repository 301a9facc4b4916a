import type { Diagnostic } from "../diagnostic.js";
import type { Comment, Document } from "../document/document.js";
import { lowerBound, startOf } from "../document/scan-text.js";
import { childrenOf, Key, type Node, type Span } from "../document/node.js";
import { entrySpan, isWrittenInParent, nodesAlong } from "../document/pointers.js";

/** The dash of an item with nothing else on its line but an anchor or a tag. */
const loneDash = /^\s*(?:-\s+)+(?:[&!]\S*\s+)*$/;

/** Alone on its line, a comment covers what is below it; else what begins on its line, or else what ends there. */
export function targetFinder(
  { lines }: Document,
  spans: readonly NodeSpan[],
): (comment: Comment) => readonly string[] {
  const byEnd = [...spans].sort((a, b) => a.end - b.end || b.start - a.start);
  return (comment) => {
    const prefix = lines.prefix(comment.start);
    const isAlone = prefix.trim() === "";
    const before = isAlone ? [] : spansOnLine(spans, byEnd, lines.startOfLine(comment.start), comment.start);
    const isAbove = isAlone || (before.length === 0 && loneDash.test(prefix));
    const covered = isAbove ? firstSpansAfter(spans, comment.end) : before;
    return covered.map(({ node }) => node.pointer);
  };
}

/** Several may begin at the same place: an item and its first entry. */
function firstSpansAfter(spans: readonly NodeSpan[], offset: number): readonly NodeSpan[] {
  const first = lowerBound(spans, offset, startOf);
  let next = first;
  while (next < spans.length && spans[next]?.start === spans[first]?.start) next++;
  return spans.slice(first, next);
}

function spansOnLine(
  spans: readonly NodeSpan[],
  byEnd: readonly NodeSpan[],
  start: number,
  commentStart: number,
): readonly NodeSpan[] {
  const chosen: NodeSpan[] = [];
  for (let i = lowerBound(spans, start, startOf); i < spans.length; i++) {
    const span = spans[i];
    if (span === undefined || span.start >= commentStart) break;
    const last = chosen.at(-1);
    // A node inside another one is covered with it.
    if (last === undefined || span.start >= last.end) chosen.push(span);
  }
  if (chosen.length > 0) return chosen;
  const ending = byEnd[lowerBound(byEnd, commentStart + 1, spanEnd) - 1];
  return ending === undefined || ending.end <= start ? [] : [ending];
}

/** The text of an entry or an item, or of the value of an entry, which may be on a line below its key. */
interface NodeSpan extends Span {
  readonly node: Node;
}

/** In text order, longer spans first. Leaves out the copies that aliases make: a short file may have very many. */
export function nodeSpansOf(root: Node, text: string): readonly NodeSpan[] {
  const spans: NodeSpan[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of childrenOf(node)) {
      if (!isWrittenInParent(child)) continue;
      spans.push({ ...entrySpan(child), node: child });
      if (hasOwnStart(child, text)) spans.push({ start: child.start, end: child.end, node: child });
      waiting.push(child);
    }
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether the value of an entry has a start of its own: a block starts with its first entry or item. */
function hasOwnStart({ key, kind, start, end }: Node, text: string): boolean {
  const isWritten = key instanceof Key && start >= key.end && start < end;
  return isWritten && (kind === "scalar" || "{[*".includes(text.charAt(start)));
}

const spanEnd = (span: NodeSpan) => span.end;

/** The pointer of a finding, and those of the nodes whose text contains it or an alias that leads to it. */
export function writtenPointers(
  { root, aliases, lines }: Document,
  spans: readonly NodeSpan[],
  { pointer, range }: Diagnostic,
): readonly string[] {
  if (pointer === "" || root === undefined || aliases.targets.size === 0) return [pointer];
  const copies = nodesAlong(root, pointer).filter((node) => !isWrittenInParent(node));
  const starts = copies.flatMap(({ parent }) => (parent === null ? [] : entrySpan(parent).start));
  const offsets = [lines.offset(range.start), ...starts];
  return [pointer, ...offsets.map((offset) => innermostPointer(spans, offset))];
}

function innermostPointer(spans: readonly NodeSpan[], offset: number): string {
  let node: Node | null | undefined = spans[lowerBound(spans, offset + 1, startOf) - 1]?.node;
  while (node && entrySpan(node).end < offset) node = node.parent;
  return node?.pointer ?? "";
}
