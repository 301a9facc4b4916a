const contextLines = 3;

/** The difference between two texts, in the format of `diff -u`, for `patch -p1` and `git apply`. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const old = splitLines(before);
  const now = splitLines(after);
  const hunks = groupIntoHunks(diffLines(old, now));
  if (hunks.length === 0) return "";
  const head = `--- ${headerName("a", file)}\n+++ ${headerName("b", file)}\n`;
  return head + hunks.map((changes) => hunkText(changes, old, now)).join("");
}

/** Puts changes whose context would touch into one hunk. */
function groupIntoHunks(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    const end = last?.at(-1)?.to;
    if (last !== undefined && end !== undefined && change.from - end <= 2 * contextLines) last.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(changes: readonly LineChange[], old: readonly string[], now: readonly string[]): string {
  const first = changes[0];
  const last = changes.at(-1);
  if (first === undefined || last === undefined) return "";
  const from = Math.max(0, first.from - contextLines);
  const to = Math.min(old.length, last.to + contextLines);
  const newFrom = first.newFrom - (first.from - from);
  const newTo = last.newTo + (to - last.to);
  const lines: string[] = [];
  let at = from;
  for (const change of changes) {
    lines.push(prefixedLines(" ", old, at, change.from));
    lines.push(prefixedLines("-", old, change.from, change.to));
    lines.push(prefixedLines("+", now, change.newFrom, change.newTo));
    at = change.to;
  }
  lines.push(prefixedLines(" ", old, at, to));
  return `@@ -${hunkRange(from, to)} +${hunkRange(newFrom, newTo)} @@\n${lines.join("")}`;
}

function prefixedLines(mark: string, lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from, to)
    .map((line) => `${mark}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`)
    .join("");
}

/** An empty range has the number of the line before it. */
function hunkRange(from: number, to: number): string {
  const length = to - from;
  const start = length === 0 ? from : from + 1;
  return length === 1 ? String(start) : `${start},${length}`;
}

const escapes = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/** Quoted if it contains control characters; a tab marks the end of a name with spaces. */
function headerName(side: string, file: string): string {
  const name = `${side}/${file}`;
  if (!/[\p{Cc}"\\]/u.test(name)) return name.includes(" ") ? `${name}\t` : name;
  const quoted = name.replace(
    /[\p{Cc}"\\]/gu,
    (character) => escapes.get(character) ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${quoted}"`;
}

/** A run of lines that differ: `from` to `to` of the old text, `newFrom` to `newTo` of the new, ends exclusive. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** With more changed lines than this, everything between the first and the last is one change. */
const maxChanges = 1_000;

/** The shortest list of changes from one list of lines to another (Myers 1986). */
export function diffLines(old: readonly string[], now: readonly string[]): readonly LineChange[] {
  let start = 0;
  const shorter = Math.min(old.length, now.length);
  while (start < shorter && old[start] === now[start]) start++;
  let same = 0;
  while (same < shorter - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  const end = old.length - same;
  const newEnd = now.length - same;
  if (start === end && start === newEnd) return [];
  const reaches = findReaches(old.slice(start, end), now.slice(start, newEnd));
  if (reaches === undefined) return [{ from: start, to: end, newFrom: start, newTo: newEnd }];
  return changesAlong(reaches, end - start, newEnd - start).map((change) => ({
    from: change.from + start,
    to: change.to + start,
    newFrom: change.newFrom + start,
    newTo: change.newTo + start,
  }));
}

/** For each number of changes, how far down the old lines each diagonal reaches. */
type Reach = ReadonlyMap<number, number>;

function findReaches(old: readonly string[], now: readonly string[]): readonly Reach[] | undefined {
  const reaches: Reach[] = [];
  let last: Reach = new Map([[1, 0]]);
  for (let changes = 0; changes <= maxChanges; changes++) {
    reaches.push(last);
    const reach = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let line = startOfDiagonal(last, diagonal, changes);
      while (line < old.length && old[line] === now[line - diagonal]) line++;
      reach.set(diagonal, line);
      if (line >= old.length && line - diagonal >= now.length) return reaches;
    }
    last = reach;
  }
  return undefined;
}

/** Goes back from the end, joining neighbouring steps into one change. */
function changesAlong(
  reaches: readonly Reach[],
  oldLength: number,
  newLength: number,
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let line = oldLength;
  let newLine = newLength;
  for (let count = reaches.length - 1; count > 0; count--) {
    const last = reaches[count] ?? new Map<number, number>();
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

function isInsertion(last: Reach, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (last.get(diagonal - 1) ?? 0) < (last.get(diagonal + 1) ?? 0);
}

/** The old line at which a diagonal starts, after one insertion or deletion. */
function startOfDiagonal(last: Reach, diagonal: number, changes: number): number {
  return isInsertion(last, diagonal, changes)
    ? (last.get(diagonal + 1) ?? 0)
    : (last.get(diagonal - 1) ?? 0) + 1;
}
