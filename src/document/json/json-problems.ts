import { type Fault, faultAt, type FaultKind, quoteSource, spaceName, unicodeSpaces } from "../document.js";
import { endOfMatch, isLineBreak, skipWhitespace } from "../scan-text.js";
import type { Span } from "../node.js";

/** Messages name the place of the value: a JSON file, or a line of JSON Lines. */
export type JsonContainer = "file" | "line";

type Describe = (found: string, holder: JsonContainer) => string;

const messages = {
  "close-array": (_, holder) => `The ${holder} ends before its list is closed; add "]".`,
  "close-object": (_, holder) => `The ${holder} ends before its object is closed; add "}".`,
  colon: (found, holder) => `Expected a colon after the key${butFound(found, holder)}.`,
  comma: (found) => `Expected a comma before ${quoteSource(found)}.`,
  comment: () => "JSON has no comments; remove this one.",
  control: (found) =>
    `A string cannot contain a raw control character; write it as ${JSON.stringify(found)}.`,
  "early-end": (found) => `The string ends before ${quoteSource(found)}; write \\" for a quote inside it.`,
  empty: (_, holder) => `The ${holder} is empty.`,
  escape: (found) => `${quoteSource(found)} is not an escape that JSON knows; write "\\\\" for a backslash.`,
  key: (found, holder) => `Expected a key in double quotes${butFound(found, holder)}.`,
  number: (found) => `${quoteSource(found)} is not a number in JSON.`,
  "open-bracket": (found) =>
    `Expected a value, found the key ${quoteSource(found)}; a bracket is missing before it.`,
  "other-bracket": (found) =>
    found === "}"
      ? 'Expected "]" before "}", because a list is still open.'
      : 'Expected "}" before "]", because an object is still open.',
  rest: (found, holder) => `The ${holder} continues after the end of its value${butFound(found, holder)}.`,
  space: (found) =>
    `A ${spaceName(found.charAt(0))} is not allowed between values in JSON; use plain spaces.`,
  start: (found, holder) => `${quoteSource(found)} is not a JSON value; the ${holder} must start with "{".`,
  "string-cut": (_, holder) =>
    `The ${holder} ends inside this string; close it with a double quote, if nothing else is missing.`,
  "string-end": () =>
    'This string is not closed on its line; add a double quote, or write "\\n" for a line break inside it.',
  symbol: (found) =>
    `${quoteSource(found)} is not a JSON value; write text in straight double quotes, or a number, true, false or null.`,
  template: () => 'Text that starts with "{{" must be in double quotes.',
  "trailing-comma": () => "JSON allows no comma after the last entry; remove it.",
  unicode: () => '"\\u" needs four hexadecimal digits.',
  value: (found, holder) => `Expected a value${butFound(found, holder)}.`,
  yaml: () => "This looks like YAML, but is read as JSON.",
} satisfies Record<string, Describe>;

export type JsonProblem = keyof typeof messages;

export interface LocatedProblem extends Span {
  readonly problem: JsonProblem;
}

const faultKinds: Readonly<Partial<Record<JsonProblem, FaultKind>>> = { empty: "no-object", yaml: "yaml" };

export function jsonFault(
  text: string,
  { problem, start, end }: LocatedProblem,
  holder: JsonContainer = "file",
): Fault {
  const describe: Describe = messages[problem];
  const message = describe(text.slice(start, end), holder);
  return faultAt(start, end, message, faultKinds[problem]);
}

function butFound(found: string, holder: JsonContainer): string {
  return found === "" ? `, but the ${holder} ends` : `, found ${quoteSource(found)}`;
}

/** Starts with a YAML marker or key, and contains no line of JSON or Markdown. */
export function looksLikeYaml(text: string): boolean {
  const start = /^(?:\s*#[^\n]*\n)*\s*(?:---\s|%YAML\s|[\w$.-]+:(?:[\r\n]|$|[ \t](?!.*,\s*(?:\n|[\w"$]+:))))/;
  return start.test(text) && !/^[ \t]*(?:\{(?!\{)|`)/m.test(text);
}

export function isBeforeColon(text: string, end: number): boolean {
  return text.charAt(skipWhitespace(text, end)) === ":";
}

/** Whether something follows a closing quote without a space: one of the two quotes is probably wrong. */
export function isAfterQuote(text: string, at: number): boolean {
  return text.charAt(at - 1) === '"';
}

export function isWord(mark: string): boolean {
  return /[\p{L}\p{N}]/u.test(mark);
}

export function startsValue(mark: string): boolean {
  return /["{[\w-]/.test(mark);
}

export const unicodeSpacePattern = new RegExp(`[${unicodeSpaces}\\u200b\\ufeff]+`, "y");
export const commentPattern = /\/\/[^\r\n]*|#[^\r\n]*|\/\*[^]*?(?:\*\/|$)/y;

const tokenPattern = /[^\s{}[\]:;,"]+|[^]|$/y;

export function endOfToken(text: string, start: number): number {
  if (text.charAt(start) === '"') return endOfString(text, start);
  return endOfMatch(tokenPattern, text, start) ?? start;
}

/** The end of a string, or of its line. Not a regular expression: with escapes, one runs out of stack on a long string. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !isLineBreak(text.charCodeAt(at))) {
    const char = text.charAt(at++);
    if (char === '"') break;
    if (char === "\\" && at < text.length && !isLineBreak(text.charCodeAt(at))) at++;
  }
  return at;
}

export function findStringProblem(text: string, quote: number): LocatedProblem {
  let at = quote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return { problem: "string-end", start: quote, end: at };
    if (code < 32) return { problem: "control", start: at, end: at + 1 };
    if (code !== 92) at++;
    else if (text.charAt(at + 1) === "u") {
      const digits = /^[0-9a-fA-F]*/.exec(text.slice(at + 2, at + 6))?.[0].length ?? 0;
      if (at + 2 + digits >= text.length) break;
      if (digits < 4) return { problem: "unicode", start: at, end: at + 2 };
      at += 6;
    } else {
      if (/^[\r\n]/.test(text.charAt(at + 1))) return { problem: "string-end", start: quote, end: at + 1 };
      if (!'"\\/bfnrt'.includes(text.charAt(at + 1))) return { problem: "escape", start: at, end: at + 2 };
      at += 2;
    }
  }
  return { problem: "string-cut", start: quote, end: text.length };
}
