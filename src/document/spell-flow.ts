import { afterBreak, isBreak } from "./line-break.js";
import type { ScalarSource } from "./node.js";

/** Receives the characters of a value with the part of the source that spells them. */
export interface Speller {
  copy(start: number, end: number): void;
  put(characters: string, start: number, end: number): void;
}

export type Spell = (out: Speller, text: string, source: ScalarSource) => void;

const backslash = 92;
const singleQuote = 39;

export const spellPlain: Spell = (out, text, source) => {
  spellLines(out, text, source, () => undefined);
};

export const spellSingle: Spell = (out, text, source) => {
  spellLines(out, text, source, (at) => {
    if (text.charCodeAt(at) !== singleQuote) return undefined;
    return { characters: "'", end: at + 2 };
  });
};

export const spellEscaped: Spell = (out, text, source) => {
  spellLines(out, text, source, (at) => {
    if (text.charCodeAt(at) !== backslash) return undefined;
    if (isBreak(text.charCodeAt(at + 1)))
      return { characters: "", end: skipBreaks(text, at + 1, source.end).end };
    return readEscape(text, at, yamlEscapes);
  });
};

export const spellJson: Spell = (out, text, { start, end }) => {
  let from = start;
  let at = text.indexOf("\\", start);
  while (at !== -1 && at < end) {
    out.copy(from, at);
    const escape = readEscape(text, at, jsonEscapes);
    out.put(escape.characters, at, escape.end);
    from = escape.end;
    at = text.indexOf("\\", from);
  }
  out.copy(from, end);
};

interface Escape {
  readonly characters: string;
  readonly end: number;
}

/** Text on one or more lines: a line break and the white space around it fold into a space or fewer breaks. */
function spellLines(
  out: Speller,
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
      out.copy(from, at);
      if (escape.characters !== "") out.put(escape.characters, at, escape.end);
      from = at = solid = escape.end;
    } else if (isBreak(code)) {
      out.copy(from, solid);
      from = at = solid = fold(out, text, at, end);
    } else {
      at++;
      if (code !== 32 && code !== 9) solid = at;
    }
  }
  out.copy(from, end);
}

/** One line break means a space; of several, the first means nothing and each other one a line break. */
function fold(out: Speller, text: string, at: number, end: number): number {
  const { breaks, end: next } = skipBreaks(text, at, end);
  if (breaks.length === 1) out.put(" ", at, afterBreak(text, at));
  for (const start of breaks.slice(1)) out.put("\n", start, afterBreak(text, start));
  return next;
}

function skipBreaks(text: string, start: number, end: number): { breaks: number[]; end: number } {
  const breaks: number[] = [];
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) {
      breaks.push(at);
      at = afterBreak(text, at);
    } else if (code === 32 || code === 9) at++;
    else break;
  }
  return { breaks, end: at };
}

const jsonEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const yamlEscapes: ReadonlyMap<string, string> = new Map([
  ...jsonEscapes,
  ["0", "\0"],
  ["a", "\u0007"],
  ["\t", "\t"],
  ["v", "\v"],
  ["e", "\u001b"],
  [" ", " "],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

/** The parser has accepted the escape: what is not a single letter is `x`, `u` or `U` with its digits. */
function readEscape(text: string, at: number, simple: ReadonlyMap<string, string>): Escape {
  const letter = text.charAt(at + 1);
  const characters = simple.get(letter);
  if (characters !== undefined) return { characters, end: at + 2 };
  const end = at + 2 + (letter === "x" ? 2 : letter === "u" ? 4 : 8);
  const code = Number.parseInt(text.slice(at + 2, end), 16);
  return { characters: code <= 0xffff ? String.fromCharCode(code) : String.fromCodePoint(code), end };
}
