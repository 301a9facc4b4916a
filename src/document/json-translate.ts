import { endOfToken, type JsonProblem } from "./json-words.js";
import { faultInString } from "./string-fault.js";

export interface Problem {
  readonly problem: JsonProblem;
  readonly start: number;
  readonly end: number;
}

/** What the parser says, at the place where its author looks for it. */
export function translate(text: string, code: string, offset: number, length: number): Problem {
  const end = length > 0 ? offset + length : offset;
  const at = (problem: JsonProblem): Problem => ({ problem, start: offset, end });
  switch (code) {
    case "InvalidCommentToken":
    case "UnexpectedEndOfComment":
      return at("comment");
    case "InvalidUnicode":
    case "InvalidEscapeCharacter":
    case "InvalidCharacter":
    case "UnexpectedEndOfString":
      return faultInString(text, offset) ?? at("symbol");
    case "PropertyNameExpected":
      return trailingComma(text, offset) ?? at("key");
    case "ValueExpected":
      return text.trim() === "" ? at("empty") : (trailingComma(text, offset) ?? at("value"));
    case "ColonExpected":
      return at("colon");
    case "CommaExpected":
      return brokenNumber(text, offset) ?? missingBracket(text, offset) ?? at("comma");
    case "CloseBraceExpected":
      return at("close-object");
    case "CloseBracketExpected":
      return at("close-array");
    case "EndOfFileExpected":
      return at("rest");
    case "InvalidNumberFormat":
    case "UnexpectedEndOfNumber":
      return at("number");
    default:
      return unknownWord(text, offset);
  }
}

/** Where a comma would not help: a bracket that closes something else, or a colon behind what should be a value. */
function missingBracket(text: string, offset: number): Problem | undefined {
  const mark = text.charAt(offset);
  if (mark === "}" || mark === "]") return { problem: "other-bracket", start: offset, end: offset + 1 };
  if (mark !== ":") return undefined;
  const closing = lastMarkBefore(text, offset);
  if (text.charAt(closing) !== '"') return undefined;
  return { problem: "open-object", start: openingQuote(text, closing), end: closing + 1 };
}

/** Where the string starts that the parser has read up to this quote. */
function openingQuote(text: string, closing: number): number {
  let quote = closing;
  do quote = text.lastIndexOf('"', quote - 1);
  while (isEscaped(text, quote));
  return quote;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === "\\") before--;
  return (at - before) % 2 === 1;
}

function trailingComma(text: string, offset: number): Problem | undefined {
  if (!/[}\]]/.test(text.charAt(offset))) return undefined;
  const before = lastMarkBefore(text, offset);
  return text.charAt(before) === ","
    ? { problem: "trailing-comma", start: before, end: before + 1 }
    : undefined;
}

function lastMarkBefore(text: string, offset: number): number {
  let before = offset - 1;
  while (/\s/.test(text.charAt(before))) before--;
  return before;
}

function unknownWord(text: string, offset: number): Problem {
  const end = endOfToken(text, offset);
  if (/^\s*:/.test(text.slice(end, end + 40))) return { problem: "key", start: offset, end };
  if (/[-+.0-9]/.test(text.charAt(offset))) return { problem: "number", start: offset, end };
  return brokenNumber(text, offset) ?? { problem: "symbol", start: offset, end };
}

/** `01` and `0x1F` are a number and something after it to the parser, one wrong number to the author. */
function brokenNumber(text: string, offset: number): Problem | undefined {
  if (!/\w/.test(text.charAt(offset))) return undefined;
  let start = offset;
  while (start > 0 && /[-+.\w]/.test(text.charAt(start - 1))) start--;
  if (start === offset || !/[-+.0-9]/.test(text.charAt(start))) return undefined;
  return { problem: "number", start, end: endOfToken(text, start) };
}
