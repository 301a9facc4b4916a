/** Names longer than this get no suggestion; nobody mistypes them. */
export const maxNameLength = 100;

const rowLength = 2 * maxNameLength + 2;
/** Made once: that takes longer than most names take to be told apart. */
const scratchRows = [new Uint8Array(rowLength), new Uint8Array(rowLength), new Uint8Array(rowLength)] as const;

/**
 * Counts insertions, deletions, substitutions and swaps of neighbours between two names; gives
 * `limit + 1` when there are more than `limit`. Only the cells that can stay within the limit are computed.
 */
export function editDistance(a: string, b: string, limit: number): number {
  let [beforeLast, last, current] = scratchRows;
  const tooFar = limit + 1;
  for (let column = 0; column <= b.length; column++) last[column] = Math.min(column, tooFar);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    current[from - 1] = from === 1 ? Math.min(row, tooFar) : tooFar;
    let smallest = current[from - 1] ?? tooFar;
    for (let column = from; column <= to; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const above = (last[column] ?? tooFar) + 1;
      const left = (current[column - 1] ?? tooFar) + 1;
      const diagonal = (last[column - 1] ?? tooFar) + (same ? 0 : 1);
      const swapped = isSwap(a, b, row, column) ? (beforeLast[column - 2] ?? tooFar) + 1 : tooFar;
      const cost = Math.min(above, left, diagonal, swapped, tooFar);
      current[column] = cost;
      if (cost < smallest) smallest = cost;
    }
    if (to < b.length) current[to + 1] = tooFar;
    if (smallest > limit) return tooFar;
    [beforeLast, last, current] = [last, current, beforeLast];
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
