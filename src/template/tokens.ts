import type { Span } from "../diagnostic.js";
import { isDigit, type Path, readField, readPath, segmentEnd, skipSpaces } from "./path.js";

export type Token =
  | PathToken
  | (Span & { readonly kind: "data" | "other" })
  | (Span & { readonly kind: "sign"; readonly text: string });

interface PathToken extends Span {
  readonly kind: "path";
  readonly path: Path;
  readonly text: string;
  /** After `../`, `@root.` or a leading dot, the context is unknown. */
  readonly relative: boolean;
}

export const literalKeywords = new Set("true false null undefined none nil True False None".split(" "));
const wordOperators = new Set(["and", "or", "not", "in"]);
const punctuation = "(),:";
const operatorCharacters = "=!<>&|+*/%?~-";

/** Characters that no expression contains become tokens of kind `other`. */
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
  if ("\"'`".includes(character)) return stringToken(text, at, to, character);
  if (character === "." || character === "@") return relativeToken(text, at, to);
  if (isDigit(text, at)) return numberToken(text, at, to);
  if (punctuation.includes(character)) return { kind: "sign", text: character, start: at, end: at + 1 };
  if (operatorCharacters.includes(character)) return operatorToken(text, at, to);
  const path = readPath(text, at, to);
  return path === undefined ? { kind: "other", start: at, end: at + 1 } : wordToken(text, path, false);
}

/** Whether a path is neither a literal nor an operator. */
export function isReferencePath(text: string, path: Path): boolean {
  return wordToken(text, path, false).kind === "path";
}

export function isThis(text: string, { start, end }: Span): boolean {
  return end - start === 4 && text.startsWith("this", start);
}

function wordToken(text: string, path: Path, isRelative: boolean): Token {
  const { start, end } = path;
  const written = text.slice(start, end);
  if (!isRelative && (literalKeywords.has(written) || written === "this"))
    return { kind: "data", start, end };
  if (!isRelative && wordOperators.has(written)) return { kind: "sign", text: written, start, end };
  return { kind: "path", path, text: written, relative: isRelative, start, end };
}

/** Escaped quotes are not supported: they are rare, and hostile input could make them costly. */
function stringToken(text: string, at: number, to: number, quote: string): Token {
  const close = text.indexOf(quote, at + 1);
  if (close === -1 || close >= to) return { kind: "other", start: at, end: at + 1 };
  return { kind: "data", start: at, end: close + 1 };
}

/** `.`, `..`, `../name`, `@index`, `@root.name`, `@root["name"]`, unless directly after a path. */
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

interface Operand {
  readonly path: Path;
  /** Otherwise it may be something else than a reference. */
  readonly certain: boolean;
}

/** The paths that an expression reads, without helpers, filters and keys. */
export function* operandsOf(tokens: readonly Token[]): Generator<Operand> {
  let filtered = false;
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const next = tokens[index + 1];
    if (isSign(token, "|")) filtered = true;
    if (token.kind !== "path" || isSign(previous, "|") || isSign(next, "=")) continue;
    const isHelper = isSign(previous, "(") && startsOperand(next);
    if (!isCalled(token, next) && !isHelper)
      yield { path: token.path, certain: !filtered && !token.relative };
  }
}

/** Whether two operands are adjacent: `{{#if the customer is angry}}`. */
export function looksLikeProse(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (isSign(token, "|")) return false;
    const next = tokens[index + 1];
    if (depth === 0 && isValue(token) && startsOperand(next) && !isCalled(token, next)) return true;
    if (isSign(token, "(")) depth++;
    if (isSign(token, ")")) depth--;
  }
  return false;
}

export function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === "sign" && token.text === text;
}

/** `f(x)`, with no space before the parenthesis. */
function isCalled(token: Token, next: Token | undefined): boolean {
  return isSign(next, "(") && next?.start === token.end;
}

function startsOperand(token: Token | undefined): boolean {
  return isValue(token) || isSign(token, "(");
}

function isValue(token: Token | undefined): boolean {
  return token?.kind === "path" || token?.kind === "data";
}

/** The source and the new names of `{{#each items as |item index|}}` or `{{#each item in items}}`. */
export function parseBindings(tokens: readonly Token[]): {
  sources: readonly Token[];
  locals: readonly string[];
} {
  const within = tokens.findIndex((token) => isSign(token, "in"));
  if (within > 0) return { sources: tokens.slice(within + 1), locals: pathTexts(tokens.slice(0, within)) };
  const as = tokens.findIndex((token, index) => index > 0 && token.kind === "path" && token.text === "as");
  if (as === -1) return { sources: tokens, locals: [] };
  return { sources: tokens.slice(0, as), locals: pathTexts(tokens.slice(as + 1)) };
}

function pathTexts(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => (token.kind === "path" ? [token.text] : []));
}

/** A partial's name may contain folders: `shared/header`. */
export function partialName(first: Span, rest: readonly Token[]): Span {
  let end = first.end;
  for (const token of rest) {
    if (token.start !== end) break;
    end = token.end;
  }
  return { start: first.start, end };
}
