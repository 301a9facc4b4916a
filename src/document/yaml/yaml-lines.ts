import { skipLineBreak } from "../line-map.js";
import type { Span } from "../node.js";
import { endOfLine, endOfMatch, startOfLine } from "../scan-text.js";

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

/** The line before that is neither blank nor a comment. */
export function previousLine(text: string, { start }: Line): Line | undefined {
  for (let at = start; at > 0;) {
    const line = lineAt(text, at - 1);
    if (!isBlankOrComment(text, line)) return line;
    at = line.start;
  }
  return undefined;
}

export function parentLine(text: string, line: Line): Line | undefined {
  let above = previousLine(text, line);
  while (above !== undefined && indentOf(above) >= indentOf(line)) above = previousLine(text, above);
  return above;
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

export function lineContent(text: string, { body }: Line): string {
  const line = text.slice(body, endOfLine(text, body));
  const comment = line.search(/\s#/);
  return (comment < 0 ? line : line.slice(0, comment)).trimEnd();
}

function isBlankOrComment(text: string, { body, end }: Line): boolean {
  return /^(?:#|[ \t\r\n]*$)/.test(text.slice(body, end));
}

const keyPattern = /(?:"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|[\p{L}\p{N}_$./][^:#\r\n]*):(?=\s|$)/uy;
const dashPattern = /-(?=\s|$)/y;
const nothingAfterKey = /[ \t]*(?:&\S+[ \t]*)?(?:(?<=[ \t])#.*)?(?=[\r\n])/y;

/**
 * The entries of a block collection. In a valid file each line with the indentation of the first key starts an entry,
 * and each entry is valid by itself, so entries can be checked independently.
 */
export function splitEntries(text: string, { start, end }: Span): Span[] {
  const first = nextLine(text, start, end);
  if (first === undefined) return [];
  const mark = endOfMatch(keyPattern, text, first.body) === undefined ? dashPattern : keyPattern;
  const starts: number[] = [];
  for (let line: Line | undefined = first; line !== undefined; line = nextLine(text, line.end, end)) {
    if (indentOf(line) < indentOf(first)) return [];
    const isEntry = indentOf(line) === indentOf(first) && endOfMatch(mark, text, line.body) !== undefined;
    if (isEntry) starts.push(line.start);
    else if (line === first) return [];
  }
  return starts.map((from, i) => ({ start: from, end: starts[i + 1] ?? end }));
}

/** The lines under the key of an entry whose value does not start on the line of the key. */
export function entryBody(text: string, { start, end }: Span): Span | undefined {
  const head = nextLine(text, start, end);
  const colon = head && endOfMatch(keyPattern, text, head.body);
  if (head === undefined || colon === undefined) return undefined;
  if (endOfMatch(nothingAfterKey, text, colon) === undefined) return undefined;
  const first = nextLine(text, head.end, end);
  return first !== undefined && indentOf(first) > indentOf(head) ? { start: head.end, end } : undefined;
}
