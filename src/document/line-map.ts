import type { Position, Range } from "../diagnostic.js";

/** Offsets to lines and columns, counted from 1. A line ends at LF, CRLF or a lone CR, as in editors. */
export class LineMap {
  private starts: number[] | undefined;

  constructor(readonly text: string) {}

  position(offset: number): Position {
    const starts = this.lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** The offset of a position; the end of the text where there is no such line. */
  offset({ line, column }: Position): number {
    return Math.min((this.lineStarts()[line - 1] ?? this.text.length) + column - 1, this.text.length);
  }

  range(start: number, end: number): Range {
    return { start: this.position(start), end: this.position(end) };
  }

  /** The text of a line without its line break, or nothing when there is no such line. */
  line(number: number): string | undefined {
    const starts = this.lineStarts();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    let end = starts[number] ?? this.text.length;
    while (end > start && isLineBreak(this.text.charCodeAt(end - 1))) end--;
    return this.text.slice(start, end);
  }

  private lineStarts(): readonly number[] {
    if (this.starts !== undefined) return this.starts;
    this.starts = this.text.includes("\r") ? afterBreaks(this.text) : afterLineFeeds(this.text);
    return this.starts;
  }
}

function afterLineFeeds(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function afterBreaks(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}
