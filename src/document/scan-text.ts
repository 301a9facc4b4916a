import type { Comment } from "./document.js";
import { isLineBreak } from "./line-map.js";
import type { Span } from "./node.js";

export function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (next < text.length && " \t\r\n".includes(text.charAt(next))) next++;
  return next;
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

/** The `|` or `>` of the block scalar after `from`. */
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

export function endOfLine(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end++;
  return end;
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
