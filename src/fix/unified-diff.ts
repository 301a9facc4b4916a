import { lineChanges, linesOf, type LineChange } from "./line-changes.js";

const context = 3;

/** The difference of two texts of a file as `diff -u` shows it and `patch -p1` and `git apply` read it. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const hunks = gather(lineChanges(old, now));
  if (hunks.length === 0) return "";
  const head = `--- ${nameOf("a", file)}\n+++ ${nameOf("b", file)}\n`;
  return head + hunks.map((changes) => hunkText(changes, old, now)).join("");
}

/** Changes whose context would touch stand in one hunk. */
function gather(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    const end = last?.at(-1)?.to;
    if (last !== undefined && end !== undefined && change.from - end <= 2 * context) last.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(changes: readonly LineChange[], old: readonly string[], now: readonly string[]): string {
  const first = changes[0];
  const last = changes.at(-1);
  if (first === undefined || last === undefined) return "";
  const from = Math.max(0, first.from - context);
  const to = Math.min(old.length, last.to + context);
  const newFrom = first.newFrom - (first.from - from);
  const newTo = last.newTo + (to - last.to);
  const lines: string[] = [];
  let at = from;
  for (const change of changes) {
    lines.push(marked(" ", old, at, change.from));
    lines.push(marked("-", old, change.from, change.to));
    lines.push(marked("+", now, change.newFrom, change.newTo));
    at = change.to;
  }
  lines.push(marked(" ", old, at, to));
  return `@@ -${rangeText(from, to)} +${rangeText(newFrom, newTo)} @@\n${lines.join("")}`;
}

function marked(mark: string, lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from, to)
    .map((line) => `${mark}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`)
    .join("");
}

/** An empty range is named by the line before it. */
function rangeText(from: number, to: number): string {
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
function nameOf(side: string, file: string): string {
  const name = `${side}/${file}`;
  if (!/[\p{Cc}"\\]/u.test(name)) return name.includes(" ") ? `${name}\t` : name;
  const quoted = name.replace(
    /[\p{Cc}"\\]/gu,
    (character) => escapes.get(character) ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${quoted}"`;
}
