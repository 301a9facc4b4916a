import type { Position, Range } from "../diagnostic.js";
import { lowerBound } from "./lower-bound.js";
import { isLineBreak } from "./line-break.js";

/** Offsets to lines and columns, counted from 1. A line ends at LF, CRLF or a lone CR, as in editors. */
export class LineMap {
  private starts: number[] | undefined;

  constructor(readonly text: string) {}

  position(offset: number): Position {
    const starts = this.lineStarts();
    const line = lowerBound(starts, offset + 1, (start) => start);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
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
    this.starts = this.text.includes("\r") ? lineStartsAfterAnyBreak(this.text) : lineStartsAfterLf(this.text);
    return this.starts;
  }
}

function lineStartsAfterLf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineStartsAfterAnyBreak(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}
