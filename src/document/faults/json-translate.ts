import { endOfToken, type JsonProblem, type LocatedProblem } from "../json/json-words.js";
import { isEscaped } from "../json/place-json.js";
import { findStringProblem } from "../json/string-fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { unicodeSpaces } from "../strange-space.js";

/** What the parser says, at the place where its author looks for it. */
export function toProblem(text: string, code: string, offset: number, length: number): LocatedProblem {
  const end = length > 0 ? offset + length : offset;
  const at = (problem: JsonProblem): LocatedProblem => ({ problem, start: offset, end });
  switch (code) {
    case "InvalidCommentToken":
    case "UnexpectedEndOfComment":
      return at("comment");
    case "InvalidUnicode":
    case "InvalidEscapeCharacter":
    case "InvalidCharacter":
    case "UnexpectedEndOfString":
      return findStringProblem(text, offset) ?? at("symbol");
    case "PropertyNameExpected":
      return trailingComma(text, offset) ?? unquotedTemplate(text, offset) ?? at("key");
    case "ValueExpected":
      return text.trim() === "" ? at("empty") : (trailingComma(text, offset) ?? at("value"));
    case "ColonExpected":
      return at("colon");
    case "CommaExpected":
      return malformedNumber(text, offset) ?? missingBracket(text, offset) ?? at("comma");
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
      return classifyWord(text, offset);
  }
}

/** Where a comma would not help: a bracket that closes something else, or a colon behind what should be a value. */
function missingBracket(text: string, offset: number): LocatedProblem | undefined {
  const mark = text.charAt(offset);
  if (mark === "}" || mark === "]") return { problem: "other-bracket", start: offset, end: offset + 1 };
  if (mark !== ":") return undefined;
  const closing = lastNonSpaceBefore(text, offset);
  if (text.charAt(closing) !== '"') return undefined;
  return { problem: "open-object", start: openingQuote(text, closing), end: closing + 1 };
}

/** Where the string starts that the parser has read up to this quote. */
export function openingQuote(text: string, closing: number): number {
  let quote = closing;
  do quote = text.lastIndexOf('"', quote - 1);
  while (isEscaped(text, quote));
  return quote;
}

function trailingComma(text: string, offset: number): LocatedProblem | undefined {
  if (!/[}\]]/.test(text.charAt(offset))) return undefined;
  const before = lastNonSpaceBefore(text, offset);
  return text.charAt(before) === ","
    ? { problem: "trailing-comma", start: before, end: before + 1 }
    : undefined;
}

export function lastNonSpaceBefore(text: string, offset: number): number {
  let before = offset - 1;
  while (/\s/.test(text.charAt(before))) before--;
  return before;
}

/** `{{name}}` is an object in an object to the parser, text to the author. */
function unquotedTemplate(text: string, offset: number): LocatedProblem | undefined {
  const isTemplate = text.startsWith("{{", offset - 1);
  return isTemplate ? { problem: "template", start: offset - 1, end: offset + 1 } : undefined;
}

const unicodeSpaceRun = new RegExp(`[${unicodeSpaces}\\u200b\\ufeff]+`, "y");

function classifyWord(text: string, offset: number): LocatedProblem {
  const end = endOfToken(text, offset);
  const word = (problem: JsonProblem): LocatedProblem => ({ problem, start: offset, end });
  const endOfSpaces = endOfMatch(unicodeSpaceRun, text, offset);
  if (endOfSpaces !== undefined) return { problem: "space", start: offset, end: endOfSpaces };
  const mark = text.charAt(offset);
  const before = lastNonSpaceBefore(text, offset);
  if (before < 0) return word(looksLikeYaml(text) ? "yaml" : "start");
  if (mark === "#") return { problem: "comment", start: offset, end: endOfLine(text, offset) };
  if (/^\s*:/.test(text.slice(end, end + 40))) return word("key");
  if (text.charAt(before) === '"') {
    if (mark === "=") return word("colon");
    if (before === offset - 1 && /[\p{L}\p{N}]/u.test(mark)) return word("early-end");
  }
  if (/^[-+.]*[0-9]/.test(text.slice(offset, offset + 40))) return word("number");
  return malformedNumber(text, offset) ?? word("symbol");
}

/** A marker or a key that is a line of its own, below comments perhaps; not a word before JSON, or JSON without its brace. */
function looksLikeYaml(text: string): boolean {
  const start = /^(?:\s*#[^\n]*\n)*\s*(?:---\s|%YAML\s|[\w$.-]+:(?:[\r\n]|$|[ \t](?!.*,\s*(?:\n|[\w"$]+:))))/;
  return start.test(text) && !/^[ \t]*(?:\{(?!\{)|`)/m.test(text);
}

/** `01` and `0x1F` are a number and something after it to the parser, one wrong number to the author. */
function malformedNumber(text: string, offset: number): LocatedProblem | undefined {
  if (!/\w/.test(text.charAt(offset))) return undefined;
  let start = offset;
  while (start > 0 && /[-+.\w]/.test(text.charAt(start - 1))) start--;
  if (start === offset || !/[-+.0-9]/.test(text.charAt(start))) return undefined;
  return { problem: "number", start, end: endOfToken(text, start) };
}
