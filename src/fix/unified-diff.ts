import { diffArrays } from "diff";

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

/** The shortest list of changes from one list of lines to another. */
export function diffLines(old: readonly string[], now: readonly string[]): readonly LineChange[] {
  const parts = diffArrays([...old], [...now], { maxEditLength: maxChanges });
  if (parts === undefined) return [wholeChange(old, now)];
  const changes: LineChange[] = [];
  let [from, newFrom] = [0, 0];
  for (const { added, removed, count } of parts) {
    const to = added ? from : from + count;
    const newTo = removed ? newFrom : newFrom + count;
    const last = changes.at(-1);
    if (added || removed) {
      if (last?.to === from && last.newTo === newFrom) changes[changes.length - 1] = { ...last, to, newTo };
      else changes.push({ from, to, newFrom, newTo });
    }
    [from, newFrom] = [to, newTo];
  }
  return changes;
}

/** From the first line that differs to the last. */
function wholeChange(old: readonly string[], now: readonly string[]): LineChange {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let same = 0;
  while (same < shorter - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return { from: start, to: old.length - same, newFrom: start, newTo: now.length - same };
}
