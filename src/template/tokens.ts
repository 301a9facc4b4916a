import { isDigit, segmentEnd, skipSpaces } from "./characters.js";
import { type Path, readField, readPath } from "./path.js";
import type { Span } from "./template.js";

export type Token = PathToken | (Span & { readonly kind: "data" | "other" }) | SignToken;

export interface PathToken extends Span {
  readonly kind: "path";
  readonly path: Path;
  /** The whole path as written. */
  readonly text: string;
  /** Reached through `../`, `@root.` or a leading dot: which context it is read in is not for us to say. */
  readonly relative: boolean;
}

export interface SignToken extends Span {
  readonly kind: "sign";
  readonly text: string;
}

export const literalKeywords = new Set([
  "true",
  "false",
  "null",
  "undefined",
  "none",
  "nil",
  "True",
  "False",
  "None",
]);
const wordOperators = new Set(["and", "or", "not", "in"]);
const punctuation = "(),:";
const operatorCharacters = "=!<>&|+*/%?~-";

/** The words and signs of a tag. What belongs to no expression becomes a token of kind `other`. */
export function tokensOf(text: string, from: number, to: number): readonly Token[] {
  const tokens: Token[] = [];
  let at = skipSpaces(text, from, to);
  while (at < to) {
    const token = tokenAt(text, at, to);
    tokens.push(token);
    at = skipSpaces(text, token.end, to);
  }
  return tokens;
}

function tokenAt(text: string, at: number, to: number): Token {
  const character = text.charAt(at);
  if (character === '"' || character === "'" || character === "`") return stringToken(text, at, to, character);
  if (character === "." || character === "@") return relativeToken(text, at, to);
  if (isDigit(text, at)) return numberToken(text, at, to);
  if (punctuation.includes(character)) return { kind: "sign", text: character, start: at, end: at + 1 };
  if (operatorCharacters.includes(character)) return operatorToken(text, at, to);
  const path = readPath(text, at, to);
  return path === undefined ? { kind: "other", start: at, end: at + 1 } : wordToken(text, path, false);
}

/** Whether a path that stands by itself is read from somewhere: neither a value as it is nor an operator. */
export function isReferencePath(text: string, path: Path): boolean {
  return wordToken(text, path, false).kind === "path";
}

/** What a block is about; outside of all blocks, what the template is given. */
export function isThis(text: string, { start, end }: Span): boolean {
  return end - start === 4 && text.startsWith("this", start);
}

function wordToken(text: string, path: Path, isRelative: boolean): Token {
  const { start, end } = path;
  const written = text.slice(start, end);
  if (!isRelative && (literalKeywords.has(written) || written === "this")) return { kind: "data", start, end };
  if (!isRelative && wordOperators.has(written)) return { kind: "sign", text: written, start, end };
  return { kind: "path", path, text: written, relative: isRelative, start, end };
}

/** A string ends at the next quote of its kind: an escape would make hostile input costly, and is rare. */
function stringToken(text: string, at: number, to: number, quote: string): Token {
  const close = text.indexOf(quote, at + 1);
  if (close === -1 || close >= to) return { kind: "other", start: at, end: at + 1 };
  return { kind: "data", start: at, end: close + 1 };
}

/** `.`, `..`, `../name`, `@index`, `@root.name`, `@root["name"]`; right behind a path it is none of these. */
function relativeToken(text: string, at: number, to: number): Token {
  if (text[at - 1] === "]" || segmentEnd(text, at - 1, at) === at)
    return { kind: "other", start: at, end: at + 1 };
  const ofRoot = text.startsWith("@root", at) ? readField(text, at + 5, to) : undefined;
  if (ofRoot !== undefined) return wordToken(text, ofRoot, true);
  let end = at + 1;
  while (end < to && (text[end] === "." || text[end] === "/")) end++;
  const path = readPath(text, end, to);
  if (path === undefined) return { kind: "data", start: at, end };
  return text[at] === "@" ? { kind: "data", start: at, end: path.end } : wordToken(text, path, true);
}

function numberToken(text: string, at: number, to: number): Token {
  let end = segmentEnd(text, at, to);
  if (text[end] === "." && end + 1 < to && isDigit(text, end + 1)) end = segmentEnd(text, end + 1, to);
  return { kind: "data", start: at, end };
}

function operatorToken(text: string, at: number, to: number): Token {
  let end = at;
  while (end < to && operatorCharacters.includes(text.charAt(end))) end++;
  return { kind: "sign", text: text.slice(at, end), start: at, end };
}
