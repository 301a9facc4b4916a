import type { Span } from "./template.js";
import type { PathToken, Token } from "./tokens.js";

export interface Operand {
  readonly token: PathToken;
  /** Surely meant as a reference; otherwise it only may be one. */
  readonly certain: boolean;
}

/** The paths whose values an expression reads: not its helpers, filters and keys. */
export function* operandsOf(tokens: readonly Token[]): Generator<Operand> {
  let filtered = false;
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const next = tokens[index + 1];
    if (isSign(token, "|")) filtered = true;
    if (token.kind !== "path" || isSign(previous, "|") || isSign(next, "=")) continue;
    const called = isSign(next, "(") && next?.start === token.end;
    const helps = isSign(previous, "(") && startsOperand(next);
    if (!called && !helps) yield { token, certain: !filtered && !token.relative };
  }
}

/** Whether two operands stand side by side, as in prose: `{{#if the customer is angry}}`. */
export function looksLikeProse(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (isSign(token, "|")) return false;
    const next = tokens[index + 1];
    const called = isSign(next, "(") && next?.start === token.end;
    if (depth === 0 && isValue(token) && startsOperand(next) && !called) return true;
    if (isSign(token, "(")) depth++;
    if (isSign(token, ")")) depth--;
  }
  return false;
}

export function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === "sign" && token.text === text;
}

function startsOperand(token: Token | undefined): boolean {
  return isValue(token) || isSign(token, "(");
}

function isValue(token: Token | undefined): boolean {
  return token?.kind === "path" || token?.kind === "data";
}

/** What `{{#each items as |item index|}}` and `{{#each item in items}}` walk through, and the names they define. */
export function parseBindings(tokens: readonly Token[]): { sources: readonly Token[]; locals: readonly string[] } {
  const within = tokens.findIndex((token) => isSign(token, "in"));
  if (within > 0) return { sources: tokens.slice(within + 1), locals: pathTexts(tokens.slice(0, within)) };
  const as = tokens.findIndex((token, index) => index > 0 && token.kind === "path" && token.text === "as");
  if (as === -1) return { sources: tokens, locals: [] };
  return { sources: tokens.slice(0, as), locals: pathTexts(tokens.slice(as + 1)) };
}

function pathTexts(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => (token.kind === "path" ? [token.text] : []));
}

/** A partial's name may be a path of folders: `shared/header`. */
export function partialName(first: Span, rest: readonly Token[]): Span {
  let end = first.end;
  for (const token of rest) {
    if (token.start !== end) break;
    end = token.end;
  }
  return { start: first.start, end };
}
