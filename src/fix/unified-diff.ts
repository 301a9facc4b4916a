import { diffLines, splitLines, type LineChange } from "./line-changes.js";

const contextLines = 3;

/** The difference of two texts of a file as `diff -u` shows it and `patch -p1` and `git apply` read it. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const old = splitLines(before);
  const now = splitLines(after);
  const hunks = groupIntoHunks(diffLines(old, now));
  if (hunks.length === 0) return "";
  const head = `--- ${headerName("a", file)}\n+++ ${headerName("b", file)}\n`;
  return head + hunks.map((changes) => hunkText(changes, old, now)).join("");
}

/** Changes whose context would touch stand in one hunk. */
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

/** An empty range is named by the line before it. */
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

/** In quotes where a name would break its line; a tab ends one that has spaces in it. */
function headerName(side: string, file: string): string {
  const name = `${side}/${file}`;
  if (!/[\p{Cc}"\\]/u.test(name)) return name.includes(" ") ? `${name}\t` : name;
  const quoted = name.replace(
    /[\p{Cc}"\\]/gu,
    (character) => escapes.get(character) ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${quoted}"`;
}
