import { skipLineBreak, isLineBreak } from "./line-break.js";
import type { ScalarSource } from "./node.js";

/** Receives, of the characters of a value in their order, how many each part of the source spells. */
export interface RunCollector {
  addVerbatim(start: number, end: number): void;
  add(length: number, start: number, end: number): void;
}

export type ScalarMapper = (out: RunCollector, text: string, source: ScalarSource) => void;

const backslash = 92;
const singleQuote = 39;

export const mapPlain: ScalarMapper = (out, text, source) => {
  mapFlowLines(out, text, source, () => undefined);
};

export const mapSingleQuoted: ScalarMapper = (out, text, source) => {
  mapFlowLines(out, text, source, (at) => {
    if (text.charCodeAt(at) !== singleQuote) return undefined;
    return { length: 1, end: at + 2 };
  });
};

export const mapDoubleQuoted: ScalarMapper = (out, text, source) => {
  mapFlowLines(out, text, source, (at) => {
    if (text.charCodeAt(at) !== backslash) return undefined;
    if (isLineBreak(text.charCodeAt(at + 1))) return { length: 0, end: skipBreaks(text, at + 1, source.end).end };
    return readEscape(text, at);
  });
};

export const mapJsonString: ScalarMapper = (out, text, { start, end }) => {
  let from = start;
  let at = text.indexOf("\\", start);
  while (at !== -1 && at < end) {
    out.addVerbatim(from, at);
    const escape = readEscape(text, at);
    out.add(escape.length, at, escape.end);
    from = escape.end;
    at = text.indexOf("\\", from);
  }
  out.addVerbatim(from, end);
};

interface Escape {
  /** Of what it means. */
  readonly length: number;
  readonly end: number;
}

/** Text on one or more lines: a line break and the white space around it fold into a space or fewer breaks. */
function mapFlowLines(
  out: RunCollector,
  text: string,
  { start, end }: ScalarSource,
  escapeAt: (at: number) => Escape | undefined,
): void {
  let from = start;
  let at = start;
  /** The end of the text that trailing white space does not reach. */
  let solid = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    const escape = escapeAt(at);
    if (escape !== undefined) {
      out.addVerbatim(from, at);
      if (escape.length > 0) out.add(escape.length, at, escape.end);
      from = at = solid = escape.end;
    } else if (isLineBreak(code)) {
      out.addVerbatim(from, solid);
      from = at = solid = mapFold(out, text, at, end);
    } else {
      at++;
      if (code !== 32 && code !== 9) solid = at;
    }
  }
  out.addVerbatim(from, end);
}

/** One line break means a space; of several, the first means nothing and each other one a line break. */
function mapFold(out: RunCollector, text: string, at: number, end: number): number {
  const { breaks, end: next } = skipBreaks(text, at, end);
  for (const start of breaks.slice(breaks.length === 1 ? 0 : 1)) out.add(1, start, skipLineBreak(text, start));
  return next;
}

function skipBreaks(text: string, start: number, end: number): { breaks: number[]; end: number } {
  const breaks: number[] = [];
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (isLineBreak(code)) {
      breaks.push(at);
      at = skipLineBreak(text, at);
    } else if (code === 32 || code === 9) at++;
    else break;
  }
  return { breaks, end: at };
}

/** The parser has accepted the escape: what is not a single letter is `x`, `u` or `U` with its digits. */
function readEscape(text: string, at: number): Escape {
  const start = at + 2;
  const end = start + (digitsAfter.get(text.charAt(at + 1)) ?? 0);
  return { length: Number.parseInt(text.slice(start, end), 16) > 0xffff ? 2 : 1, end };
}

const digitsAfter: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);
