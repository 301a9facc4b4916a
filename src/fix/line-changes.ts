/** A run of lines that differ: `from` to `to` of the old text, `newFrom` to `newTo` of the new, ends exclusive. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Lines with their line breaks; the last one may have none. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Beyond this many changed lines the shortest way is not sought: everything between is one change. */
const maxChanges = 1_000;

/** How one list of lines becomes another, in as few changed lines as can be (Myers 1986). */
export function diffLines(old: readonly string[], now: readonly string[]): readonly LineChange[] {
  let start = 0;
  const shorter = Math.min(old.length, now.length);
  while (start < shorter && old[start] === now[start]) start++;
  let same = 0;
  while (same < shorter - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  const end = old.length - same;
  const newEnd = now.length - same;
  if (start === end && start === newEnd) return [];
  const middle = new MyersDiff(old.slice(start, end), now.slice(start, newEnd));
  const steps = middle.findReaches();
  if (steps === undefined) return [{ from: start, to: end, newFrom: start, newTo: newEnd }];
  return middle.changes(steps).map((change) => ({
    from: change.from + start,
    to: change.to + start,
    newFrom: change.newFrom + start,
    newTo: change.newTo + start,
  }));
}

/** For each number of changes, how far down the old lines each diagonal reaches. */
type Reach = ReadonlyMap<number, number>;

class MyersDiff {
  constructor(
    private readonly old: readonly string[],
    private readonly now: readonly string[],
  ) {}

  findReaches(): readonly Reach[] | undefined {
    const steps: Reach[] = [];
    let last: Reach = new Map([[1, 0]]);
    for (let changes = 0; changes <= maxChanges; changes++) {
      steps.push(last);
      const reach = new Map<number, number>();
      for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
        let line = startOfDiagonal(last, diagonal, changes);
        while (line < this.old.length && this.old[line] === this.now[line - diagonal]) line++;
        reach.set(diagonal, line);
        if (line >= this.old.length && line - diagonal >= this.now.length) return steps;
      }
      last = reach;
    }
    return undefined;
  }

  /** Walks the way back from the end; neighbouring steps become one change. */
  changes(steps: readonly Reach[]): readonly LineChange[] {
    const changes: LineChange[] = [];
    let line = this.old.length;
    let newLine = this.now.length;
    for (let count = steps.length - 1; count > 0; count--) {
      const last = steps[count] ?? new Map<number, number>();
      const diagonal = line - newLine;
      const before = isInsertion(last, diagonal, count) ? diagonal + 1 : diagonal - 1;
      const from = last.get(before) ?? 0;
      const start = startOfDiagonal(last, diagonal, count);
      const step = { from, to: start, newFrom: from - before, newTo: start - diagonal };
      const next = changes.at(-1);
      if (next !== undefined && next.from === step.to && next.newFrom === step.newTo) {
        changes[changes.length - 1] = { ...next, from: step.from, newFrom: step.newFrom };
      } else changes.push(step);
      line = step.from;
      newLine = step.newFrom;
    }
    return changes.reverse();
  }
}

function isInsertion(last: Reach, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (last.get(diagonal - 1) ?? 0) < (last.get(diagonal + 1) ?? 0);
}

/** The old line that a diagonal starts at: one line inserted, or one deleted. */
function startOfDiagonal(last: Reach, diagonal: number, changes: number): number {
  return isInsertion(last, diagonal, changes)
    ? (last.get(diagonal + 1) ?? 0)
    : (last.get(diagonal - 1) ?? 0) + 1;
}
