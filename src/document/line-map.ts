import type { Location, Position, Range, Span } from "../diagnostic.js";

/** Another text of the same project. Its offsets are counted on from those of the texts before it. */
export interface NextText {
  readonly file: string;
  readonly start: number;
  readonly lines: LineMap;
}

/** Offsets to lines and columns, counted from 1. A line ends at LF, CRLF or a lone CR, as in editors. */
export class LineMap {
  private starts: number[] | undefined;

  /** `next` are the texts that follow on the same number line, in order. */
  constructor(
    readonly text: string,
    private readonly next: readonly NextText[] = [],
  ) {}

  /** The file and the lines of a part of one of the texts. */
  locate({ start, end }: Span): Location {
    const other = this.next.findLast((each) => each.start <= start);
    if (other === undefined) return { range: this.range(start, end) };
    return { file: other.file, range: other.lines.range(start - other.start, end - other.start) };
  }

  position(offset: number): Position {
    const starts = this.lineStarts();
    const line = lowerBound(starts, offset + 1, (start) => start);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  }

  /** Past the last line, the end of the text. */
  offset({ line, column }: Position): number {
    return Math.min((this.lineStarts()[line - 1] ?? this.text.length) + column - 1, this.text.length);
  }

  startOfLine(offset: number): number {
    return offset - this.position(offset).column + 1;
  }

  prefix(offset: number): string {
    return this.text.slice(this.startOfLine(offset), offset);
  }

  range(start: number, end: number): Range {
    return { start: this.position(start), end: this.position(end) };
  }

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
    const { text } = this;
    this.starts = [0];
    if (text.includes("\r"))
      for (const { 0: lineBreak, index } of text.matchAll(/\r\n|[\r\n]/g))
        this.starts.push(index + lineBreak.length);
    else
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
    return this.starts;
  }
}

export function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** The offset after the line break at `at`, or `at` if there is none. */
export function skipLineBreak(text: string, at: number): number {
  if (text.startsWith("\r\n", at)) return at + 2;
  return isLineBreak(text.charCodeAt(at)) ? at + 1 : at;
}

/** The index of the first item whose value is not below the bound, in a sorted list. */
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
