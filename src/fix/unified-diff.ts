import { structuredPatch, type StructuredPatchHunk } from "diff";
import { maskSecrets } from "../text/secrets.js";

/** The difference between two texts, in the format of `diff -u`, for `patch -p1` and `git apply`. Secrets are masked. */
export function unifiedDiff(file: string, old: string, now: string): string {
  if (old === now) return "";
  const [before, after] = [maskSecrets(old), maskSecrets(now)];
  const head = `--- ${headerName("a", file)}\n+++ ${headerName("b", file)}\n`;
  const hunks = findHunks(before, after, 3).map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const ranges = `-${hunkRange(oldStart, oldLines)} +${hunkRange(newStart, newLines)}`;
    return `@@ ${ranges} @@\n${lines.join("\n")}\n`;
  });
  return head + hunks.join("");
}

/** An empty range has the number of the line before it. */
function hunkRange(start: number, length: number): string {
  return length === 1 ? String(start) : `${length === 0 ? start - 1 : start},${length}`;
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

/** With more changed lines than this, everything between the first and the last is one hunk. */
const maxChanges = 1_000;

/** The fewest lines that differ, with so many lines around them. Lines count from 1. */
export function findHunks(before: string, after: string, context = 0): readonly StructuredPatchHunk[] {
  const patch = structuredPatch("", "", before, after, "", "", { context, maxEditLength: maxChanges });
  return patch?.hunks ?? [wholeHunk(splitLines(before), splitLines(after), context)];
}

export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** From the first line that differs to the last. */
function wholeHunk(old: readonly string[], now: readonly string[], context: number): StructuredPatchHunk {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const from = Math.max(0, head - context);
  const more = Math.min(tail, context);
  const marked = (mark: string, lines: readonly string[]) =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? mark + line.slice(0, -1) : [mark + line, "\\ No newline at end of file"],
    );
  const lines = [
    ...marked(" ", old.slice(from, head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", now.slice(head, now.length - tail)),
    ...marked(" ", old.slice(old.length - tail, old.length - tail + more)),
  ];
  const [oldLines, newLines] = [old.length - tail + more - from, now.length - tail + more - from];
  return { oldStart: from + 1, oldLines, newStart: from + 1, newLines, lines };
}
