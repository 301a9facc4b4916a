import { afterBreak, isBreak } from "./line-break.js";
import type { Spell, Speller } from "./spell-flow.js";

interface Line {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  readonly next: number;
}

/** The lines of a `|` or `>` scalar, with all its trailing line breaks. */
export const spellBlock: Spell = (out, text, { style, start, end, indent }) => {
  const isFolded = style === "folded";
  /** Line breaks since the last text, that of its own line first. */
  let breaks: Line[] = [];
  let hasText = false;
  let wasDeeper = false;
  let at = start;
  while (at < end) {
    const line = lineAt(text, at, end);
    at = line.next;
    const textStart = indent < 0 ? line.end : skipIndent(text, line, indent);
    if (textStart >= line.end) {
      breaks.push(line);
      continue;
    }
    const isDeeper = isFolded && (text.charCodeAt(textStart) === 32 || text.charCodeAt(textStart) === 9);
    const folds = isFolded && hasText && !isDeeper && !wasDeeper;
    // One that folds means a space; of several, the first means nothing.
    putBreaks(out, folds && breaks.length > 1 ? breaks.slice(1) : breaks);
    out.copy(textStart, line.end);
    breaks = [line];
    hasText = true;
    wasDeeper = isDeeper;
  }
  putBreaks(out, breaks);
};

function putBreaks(out: Speller, lines: readonly Line[]): void {
  for (const line of lines) out.put(1, line.end, line.next);
}

function lineAt(text: string, start: number, limit: number): Line {
  let end = start;
  while (end < limit && !isBreak(text.charCodeAt(end))) end++;
  return { start, end, next: end < limit ? afterBreak(text, end) : end };
}

function skipIndent(text: string, line: Line, indent: number): number {
  let at = line.start;
  while (at < line.end && at < line.start + indent && text.charCodeAt(at) === 32) at++;
  return at;
}
