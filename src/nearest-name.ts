/** Names longer than this get no suggestion; nobody mistypes them. */
const longestName = 100;
/** Bounds the work of one question, however many names a file declares. */
const mostCandidates = 2_000;
const mostCells = 50_000;

/**
 * The candidate a mistyped name most likely stands for. A name that differs only in case or separators
 * (`maxVisits`, `max-visits`) wins over any misspelling; of equally near names the first one wins.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > longestName) return undefined;
  const folded = fold(name);
  const lower = name.toLowerCase();
  let nearest: string | undefined;
  let best = Infinity;
  let compared = 0;
  let cells = 0;
  for (const candidate of candidates) {
    if (++compared > mostCandidates || cells > mostCells) break;
    if (candidate === name || candidate.length === 0) continue;
    const longer = Math.max(name.length, candidate.length);
    const apart = Math.abs(name.length - candidate.length);
    if (apart > longer / 2) continue;
    if (folded !== "" && fold(candidate) === folded) return candidate;
    const allowed = Math.min(allowedEdits(longer), best - 1);
    if (apart > allowed) continue;
    cells += longer * (2 * allowed + 1);
    const distance = editDistance(lower, candidate.toLowerCase(), allowed);
    if (distance > allowed) continue;
    nearest = candidate;
    best = distance;
  }
  return nearest;
}

/** ` Did you mean "x"?`, to be put behind a sentence, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

function fold(name: string): string {
  return name.replace(/[-_ .]/g, "").toLowerCase();
}

/** One slip in three letters, at most four: more is another word. */
function allowedEdits(length: number): number {
  return Math.min(4, Math.floor(length / 3));
}

/** Insertions, deletions, substitutions and swaps of neighbours, or `limit + 1` when there are more than `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  const tooFar = limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(tooFar);
    if (row <= limit) current[0] = row;
    let smallest = current[0] ?? tooFar;
    const to = Math.min(b.length, row + limit);
    for (let column = Math.max(1, row - limit); column <= to; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        (last[column] ?? tooFar) + 1,
        (current[column - 1] ?? tooFar) + 1,
        (last[column - 1] ?? tooFar) + (same ? 0 : 1),
      );
      if (isSwap(a, b, row, column)) cost = Math.min(cost, (beforeLast[column - 2] ?? tooFar) + 1);
      current[column] = Math.min(cost, tooFar);
      smallest = Math.min(smallest, cost);
    }
    if (smallest > limit && !couldSwap(last, limit)) return tooFar;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? tooFar;
}

function isSwap(a: string, b: string, row: number, column: number): boolean {
  return (
    row > 1 &&
    column > 1 &&
    a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
    a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
  );
}

/** A swap reaches over one row, so one hopeless row does not end the search. */
function couldSwap(lastRow: readonly number[], limit: number): boolean {
  return lastRow.some((cost) => cost < limit);
}
