import { isLineBreak, lowerBound } from "./scan-text.js";
import type { ScalarSource, Span } from "./node.js";

/** Characters of a value, from its `index` on, and the part of the source that they come from. */
interface Run extends Span {
  readonly length: number;
  readonly index: number;
}

/** Maps the characters of a string value to the source, as runs that are either verbatim or written differently. */
export class ScalarSourceMap {
  private readonly runs: Run[] = [];
  private length = 0;

  private constructor(private readonly origin: number) {}

  static of(text: string, source: ScalarSource, valueLength: number): ScalarSourceMap {
    const map = new ScalarSourceMap(source.start);
    const isBlock = source.style === "literal" || source.style === "folded";
    // Every escape and fold is longer than its value, so equal lengths mean equal text.
    if (!isBlock && source.end - source.start === valueLength) map.add(valueLength, source.start, source.end);
    else if (isBlock) map.addBlock(text, source);
    else map.addFlow(text, source, specialsByStyle[source.style]);
    return map;
  }

  /** `specials` matches escapes, and line breaks with the white space after them. */
  private addFlow(text: string, { start, end }: ScalarSource, specials: RegExp): void {
    let from = start;
    for (const { 0: written, index } of text.slice(start, end).matchAll(specials)) {
      const at = start + index;
      const next = at + written.length;
      const isFold = isLineBreak(written.charCodeAt(0));
      let solid = at;
      while (isFold && solid > from && " \t".includes(text.charAt(solid - 1))) solid--;
      this.addVerbatim(from, solid);
      if (isFold) this.addBreaks(lineBreaksIn(text, at, next), true);
      else this.add(valueLengthOf(written), at, next);
      from = next;
    }
    this.addVerbatim(from, end);
  }

  /** The lines of a `|` or `>` scalar, with all its trailing line breaks. */
  private addBlock(text: string, { style, start, end, indent }: ScalarSource): void {
    const isFolded = style === "folded";
    /** Line breaks since the last text, starting with that of its own line. */
    let breaks: Span[] = [];
    let hasText = false;
    let wasDeeper = false;
    for (const { 0: line, 1: written = "", index } of text.slice(start, end).matchAll(blockLine)) {
      if (line === "") break;
      const lineStart = start + index;
      const lineBreak = { start: lineStart + written.length, end: lineStart + line.length };
      const inset = indent < 0 ? written.length : written.slice(0, indent).search(/[^ ]|$/);
      if (inset === written.length) {
        breaks.push(lineBreak);
        continue;
      }
      const isDeeper = isFolded && " \t".includes(written.charAt(inset));
      this.addBreaks(breaks, isFolded && hasText && !isDeeper && !wasDeeper);
      this.addVerbatim(lineStart + inset, lineBreak.start);
      breaks = [lineBreak];
      hasText = true;
      wasDeeper = isDeeper;
    }
    this.addBreaks(breaks, false);
  }

  /** A single line break that folds becomes a space; of several, the first is dropped. */
  private addBreaks(breaks: readonly Span[], folds: boolean): void {
    for (const { start, end } of folds && breaks.length > 1 ? breaks.slice(1) : breaks)
      this.add(1, start, end);
  }

  private addVerbatim(start: number, end: number): void {
    this.add(end - start, start, end);
  }

  private add(length: number, start: number, end: number): void {
    if (length === 0) return;
    this.runs.push({ length, index: this.length, start, end });
    this.length += length;
  }

  start(index: number): number {
    const run = this.runOf(index);
    if (run === undefined) return this.origin;
    if (index >= this.length) return run.end;
    return isVerbatim(run) ? run.start + index - run.index : run.start;
  }

  end(from: number, to: number): number {
    const last = Math.min(to, this.length) - 1;
    const run = this.runOf(last);
    if (to <= from || run === undefined) return this.start(from);
    return isVerbatim(run) ? this.start(last) + 1 : run.end;
  }

  private runOf(index: number): Run | undefined {
    return this.runs[lowerBound(this.runs, index + 1, (run) => run.index) - 1];
  }
}

function isVerbatim({ length, start, end }: Run): boolean {
  return length === end - start;
}

const escapeOrFold = /\\(?:x..|u.{4}|U.{8}|[\r\n][ \t\r\n]*|[^])|[\r\n][ \t\r\n]*/g;

const specialsByStyle = {
  plain: /[\r\n][ \t\r\n]*/g,
  single: /''|[\r\n][ \t\r\n]*/g,
  double: escapeOrFold,
  json: escapeOrFold,
};

const blockLine = /([^\r\n]*)(?:\r\n?|\n|$)/g;

function lineBreaksIn(text: string, from: number, to: number): readonly Span[] {
  return Array.from(text.slice(from, to).matchAll(/\r\n?|\n/g), ({ 0: lineBreak, index }) => ({
    start: from + index,
    end: from + index + lineBreak.length,
  }));
}

/** The length of the value of an escape, which the parser has accepted. An escaped line break has none. */
function valueLengthOf(escape: string): number {
  if (/^\\[\r\n]/.test(escape)) return 0;
  return Number.parseInt(escape.slice(2), 16) > 0xffff ? 2 : 1;
}
