import type { Location, Position, Range } from "../diagnostic.js";
import type { Span } from "./node.js";
import { lazy } from "../text/collections.js";
import { maskSecrets } from "../text/secrets.js";

/** Another text of the same project. Its offsets are counted on from those of the texts before it. */
interface NextText {
  readonly file: string;
  readonly start: number;
  readonly lines: LineMap;
}

/** Offsets to lines and columns, counted from 1. A line ends at LF, CRLF or a lone CR, as in editors. */
export class LineMap {
  private starts: number[] | undefined;
  private readonly shown = lazy(() => maskSecrets(this.text));

  /** `next` are the texts that follow on the same number line, in order. */
  constructor(
    readonly text: string,
    private readonly next: readonly NextText[] = [],
  ) {}

  locate({ start, end }: Span): Location {
    const other = this.next.findLast((each) => each.start <= start);
    if (other === undefined) return { range: this.range(start, end) };
    return { file: other.file, range: other.lines.range(start - other.start, end - other.start) };
  }

  /** Where a location begins. */
  offsetOf({ file, range }: Location): number {
    const other = file === undefined ? undefined : this.next.find((each) => each.file === file);
    return other === undefined ? this.offset(range.start) : other.start + other.lines.offset(range.start);
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

  /** As it may be shown: with a mask over secrets, which keeps its length. */
  line(number: number): string | undefined {
    const starts = this.lineStarts();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    let end = starts[number] ?? this.text.length;
    while (end > start && isLineBreak(this.text.charCodeAt(end - 1))) end--;
    return this.shown().slice(start, end);
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

const whitespace = /[ \t\r\n]*/y;

export function skipWhitespace(text: string, at: number): number {
  return endOfMatch(whitespace, text, at) ?? at;
}

export function skipSpaceAndComments(text: string, at: number, also = ""): number {
  let next = at;
  while (next < text.length) {
    const char = text.charAt(next);
    if (char === "#") next = endOfLine(text, next);
    else if (char === " " || char === "\n" || char === "\r" || char === "\t" || also.includes(char)) next++;
    else break;
  }
  return next;
}

export function findBlockHeader(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "|" || char === ">") return at;
    at = char === "#" ? endOfLine(text, at) : at + 1;
  }
  return from;
}

/** Replaces parts of a text by spaces, so that everything else keeps its place. */
export function blankOut(text: string, parts: readonly Span[]): string {
  let at = 0;
  let result = "";
  for (const { start, end } of parts) {
    result += text.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}

export function startOfLine(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start--;
  return start;
}

/** The end of the match of a sticky expression at an offset. */
export function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const blockHeader = /[|>][-+0-9]*/y;

/** The end of a block scalar's last line with text, or of its header when it has none. */
export function endOfBlockScalar(text: string, head: number, start: number, end: number): number {
  let last = end - 1;
  while (last >= start && " \t\r\n".includes(text.charAt(last))) last--;
  if (last >= start) return Math.min(end, endOfLine(text, last));
  return endOfMatch(blockHeader, text, head) ?? head + 1;
}

const restOfLine = /[^\r\n]*/y;

export function endOfLine(text: string, at: number): number {
  return endOfMatch(restOfLine, text, at) ?? at;
}

/** A YAML comment, from `#` to the end of its line. */
export interface Comment extends Span {
  readonly text: string;
}

/** The comments in a part of a text without scalars. */
export function* commentsBetween(text: string, from: number, to: number): Iterable<Comment> {
  for (let start = from; start < to; start++) {
    if (text.charAt(start) !== "#" || !(start === 0 || /\s/.test(text.charAt(start - 1)))) continue;
    const end = endOfLine(text, start);
    yield { text: text.slice(start, end), start, end };
    start = end;
  }
}

const surrogate = /[\ud800-\udfff]/;

/** The length in characters, as JSON Schema counts it. */
export function codePoints(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export interface Line extends Span {
  /** The first character that is not a space. */
  readonly body: number;
}

/** The first line from `at` on that is neither blank nor a comment. */
export function nextLine(text: string, at: number, end: number): Line | undefined {
  for (let start = at; start < end;) {
    const line = lineFrom(text, start);
    if (!isBlankOrComment(text, line)) return line;
    start = line.end;
  }
  return undefined;
}

export function previousLine(text: string, { start }: Line): Line | undefined {
  for (let at = start; at > 0;) {
    const line = lineAt(text, at - 1);
    if (!isBlankOrComment(text, line)) return line;
    at = line.start;
  }
  return undefined;
}

export function lineAt(text: string, at: number): Line {
  // The LF of a CR LF belongs to the line that the CR ends.
  const isInsideBreak = text.charAt(at) === "\n" && text.charAt(at - 1) === "\r";
  return lineFrom(text, startOfLine(text, isInsideBreak ? at - 1 : at));
}

function lineFrom(text: string, start: number): Line {
  let body = start;
  while (text.charAt(body) === " ") body++;
  return { start, body, end: skipLineBreak(text, endOfLine(text, body)) };
}

export function indentOf({ start, body }: Line): number {
  return body - start;
}

function isBlankOrComment(text: string, { body, end }: Line): boolean {
  return /^(?:#|[ \t\r\n]*$)/.test(text.slice(body, end));
}
