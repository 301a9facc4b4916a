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

/** Quoted if it contains control characters; a tab marks the end of a name with spaces. */
function headerName(side: string, file: string): string {
  const name = `${side}/${file}`;
  if (!/[\p{Cc}"\\]/u.test(name)) return name.includes(" ") ? `${name}\t` : name;
  const quoted = name.replace(
    /[\p{Cc}"\\]/gu,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
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
  const changes = shortestChanges(old.slice(start, end), now.slice(start, newEnd));
  if (changes === undefined) return [{ from: start, to: end, newFrom: start, newTo: newEnd }];
  return changes.map((change) => ({
    from: change.from + start,
    to: change.to + start,
    newFrom: change.newFrom + start,
    newTo: change.newTo + start,
  }));
}

/** How far down the old lines a diagonal reaches, and the changes on the way, the last first. */
interface Reach {
  readonly line: number;
  readonly changes: LinkedChange | undefined;
}

interface LinkedChange extends LineChange {
  readonly before: LinkedChange | undefined;
}

function shortestChanges(old: readonly string[], now: readonly string[]): readonly LineChange[] | undefined {
  const reaches = new Map<number, Reach>();
  for (let count = 0; count <= maxChanges; count++) {
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      const reach = extendReach(reaches, diagonal, count);
      let { line } = reach;
      while (line < old.length && old[line] === now[line - diagonal]) line++;
      if (line >= old.length && line - diagonal >= now.length) return unlink(reach.changes);
      reaches.set(diagonal, { ...reach, line });
    }
  }
  return undefined;
}

/** Goes to a diagonal from one beside it, by one insertion or deletion. */
function extendReach(reaches: ReadonlyMap<number, Reach>, diagonal: number, count: number): Reach {
  const [deleting, inserting] = [reaches.get(diagonal - 1), reaches.get(diagonal + 1)];
  const isInsertion =
    diagonal === -count || (diagonal !== count && (deleting?.line ?? 0) < (inserting?.line ?? 0));
  const reach = isInsertion ? inserting : deleting;
  if (reach === undefined) return { line: 0, changes: undefined };
  const { line: from, changes: before } = reach;
  const to = isInsertion ? from : from + 1;
  const newTo = to - diagonal;
  const newFrom = isInsertion ? newTo - 1 : newTo;
  const touches = before?.to === from && before.newTo === newFrom;
  const change = touches ? { ...before, to, newTo } : { from, to, newFrom, newTo, before };
  return { line: to, changes: change };
}

function unlink(last: LinkedChange | undefined): readonly LineChange[] {
  const changes: LineChange[] = [];
  for (let change = last; change !== undefined; change = change.before) changes.push(change);
  return changes.reverse();
}
