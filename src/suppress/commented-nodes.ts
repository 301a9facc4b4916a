import type { Comment, Document } from "../document/document.js";
import { lineStart, linePrefix } from "../document/edit/edit-ground.js";
import { lowerBound, startOf } from "../document/lower-bound.js";
import { spanEnd, type NodeSpan } from "./spots.js";

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
