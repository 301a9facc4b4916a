import type { Position, Range } from "../diagnostic.js";

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
    this.starts = this.text.includes("\r")
      ? lineStartsAfterAnyBreak(this.text)
      : lineStartsAfterLf(this.text);
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

export function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** Behind the line break that stands here; `at` itself where none does. */
export function skipLineBreak(text: string, at: number): number {
  if (text.startsWith("\r\n", at)) return at + 2;
  return isLineBreak(text.charCodeAt(at)) ? at + 1 : at;
}

/** The index of the first item whose value is not below the bound; the items are in the order of their values. */
export function lowerBound<Item>(
  items: readonly Item[],
  bound: number,
  valueOf: (item: Item) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && valueOf(item) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const startOf = ({ start }: { readonly start: number }): number => start;
