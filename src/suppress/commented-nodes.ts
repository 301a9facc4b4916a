import type { Comment, Document } from "../document/document.js";
import type { Node } from "../document/node.js";

/** An entry of a mapping (from its key on) or an item of a sequence. */
interface Spot {
  readonly start: number;
  readonly end: number;
  readonly node: Node;
}

/**
 * What each comment speaks of. Alone on its line, a comment speaks of the entry or item below it; behind
 * something, of the entries and items that begin on its line, or else of the one that ends there.
 */
export function commentedPointers(
  document: Document,
  comments: readonly Comment[],
): ReadonlyMap<Comment, readonly string[]> {
  const pointers = new Map<Comment, readonly string[]>();
  if (comments.length === 0 || document.root === undefined) return pointers;
  const spots = spotsOf(document.root);
  const byEnd = [...spots].sort((a, b) => a.end - b.end || b.start - a.start);
  for (const comment of comments) {
    const lineStart = comment.start - document.lines.position(comment.start).column + 1;
    const isAlone = document.text.slice(lineStart, comment.start).trim() === "";
    const chosen = isAlone ? firstAfter(spots, comment.end) : onLine(spots, byEnd, lineStart, comment.start);
    pointers.set(
      comment,
      chosen.map(({ node }) => node.pointer),
    );
  }
  return pointers;
}

/** In the order of the text; of those that begin together, the longer one first. */
function spotsOf(root: Node): readonly Spot[] {
  const spots: Spot[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "mapping") {
      for (const { key, value } of node.entries) {
        spots.push({ start: key.start, end: Math.max(key.end, value.end), node: value });
        waiting.push(value);
      }
    } else if (node.kind === "sequence") {
      for (const item of node.items) {
        spots.push({ start: item.start, end: item.end, node: item });
        waiting.push(item);
      }
    }
  }
  return spots.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Several may begin at one place: an item and its first entry, or the copies that aliases make. */
function firstAfter(spots: readonly Spot[], offset: number): readonly Spot[] {
  const first = lowerBound(spots, offset, startOf);
  let next = first;
  while (next < spots.length && spots[next]?.start === spots[first]?.start) next++;
  return spots.slice(first, next);
}

function onLine(
  spots: readonly Spot[],
  byEnd: readonly Spot[],
  lineStart: number,
  commentStart: number,
): readonly Spot[] {
  const chosen: Spot[] = [];
  for (let i = lowerBound(spots, lineStart, startOf); i < spots.length; i++) {
    const spot = spots[i];
    if (spot === undefined || spot.start >= commentStart) break;
    const last = chosen.at(-1);
    if (last === undefined || spot.start >= last.end || spot.start === last.start) chosen.push(spot);
  }
  if (chosen.length > 0) return chosen;
  const ending = byEnd[lowerBound(byEnd, commentStart + 1, endOf) - 1];
  return ending === undefined || ending.end <= lineStart ? [] : [ending];
}

const startOf = (spot: Spot) => spot.start;
const endOf = (spot: Spot) => spot.end;

/** The index of the first spot that is not before the offset. */
function lowerBound(spots: readonly Spot[], offset: number, valueOf: (spot: Spot) => number): number {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const spot = spots[middle];
    if (spot !== undefined && valueOf(spot) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
