import { skipLineBreak, isLineBreak } from "./line-break.js";
import type { ScalarMapper, RunCollector } from "./spell-flow.js";

interface BlockLine {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  readonly next: number;
}

/** The lines of a `|` or `>` scalar, with all its trailing line breaks. */
export const mapBlock: ScalarMapper = (out, text, { style, start, end, indent }) => {
  const isFolded = style === "folded";
  /** Line breaks since the last text, that of its own line first. */
  let breaks: BlockLine[] = [];
  let hasText = false;
  let wasDeeper = false;
  let at = start;
  while (at < end) {
    const line = blockLineAt(text, at, end);
    at = line.next;
    const textStart = indent < 0 ? line.end : skipIndent(text, line, indent);
    if (textStart >= line.end) {
      breaks.push(line);
      continue;
    }
    const isDeeper = isFolded && (text.charCodeAt(textStart) === 32 || text.charCodeAt(textStart) === 9);
    const folds = isFolded && hasText && !isDeeper && !wasDeeper;
    // One that folds means a space; of several, the first means nothing.
    addBreaks(out, folds && breaks.length > 1 ? breaks.slice(1) : breaks);
    out.addVerbatim(textStart, line.end);
    breaks = [line];
    hasText = true;
    wasDeeper = isDeeper;
  }
  addBreaks(out, breaks);
};

function addBreaks(out: RunCollector, lines: readonly BlockLine[]): void {
  for (const line of lines) out.add(1, line.end, line.next);
}

function blockLineAt(text: string, start: number, limit: number): BlockLine {
  let end = start;
  while (end < limit && !isLineBreak(text.charCodeAt(end))) end++;
  return { start, end, next: end < limit ? skipLineBreak(text, end) : end };
}

function skipIndent(text: string, line: BlockLine, indent: number): number {
  let at = line.start;
  while (at < line.end && at < line.start + indent && text.charCodeAt(at) === 32) at++;
  return at;
}
