import { type Event, EVENT_ID, type MappingEvent, type SequenceEvent } from "js-yaml";
import type { Fault } from "../document.js";
import { faultAt, ParseError, quoteSource } from "../fault.js";
import { isLineBreak } from "../line-map.js";
import { endOfLine, endOfMatch, skipSpaceAndComments } from "../scan-text.js";
import { spaceName, unicodeSpaces } from "../typos.js";
import { indentOf, isBelowBlockScalar, type Line, lineAt, nextLine, previousLine } from "./yaml-lines.js";

/** An unquoted key that YAML accepts, but that is surely a mistake. `parent` is what contains its mapping. */
export function findMisreadKey(
  text: string,
  start: number,
  parent: "flow" | "item" | "other",
): Fault | undefined {
  const indent = findFirstUnicodeIndent(text, start);
  if (indent !== undefined || parent === "flow") return indent ?? findForeignComment(text, start);
  // A list item such as `- returns {status: ok}` may well be prose.
  return parent === "item" ? undefined : findMissingColon(text, start, "{");
}

const keyThenBracket =
  /([\w.$-]+?)(:|[ \t]*(?:(-{1,3}>|={1,3}>?|:=|\u2192)[ \t]*)?)([{[])[^{}[\]:\r\n]*:(?=[ \t])/y;

/** `on_event { Go: e }`: a bracket that opens in the key and closes at the end of its value. */
export function findMissingColon(text: string, start: number, brackets = "{["): Fault | undefined {
  keyThenBracket.lastIndex = start;
  const match = keyThenBracket.exec(text);
  if (match === null) return undefined;
  const [, name = "", between = "", arrow, bracket = ""] = match;
  if (!brackets.includes(bracket)) return undefined;
  const rest = text.slice(keyThenBracket.lastIndex, endOfLine(text, start));
  const value = rest.replace(/[ \t]#.*/, "").trimEnd();
  if (!value.endsWith(bracket === "{" ? "}" : "]")) return undefined;
  const head = `${name}${between}${bracket}`;
  const advice =
    between === ":"
      ? "put a space after the colon"
      : arrow === undefined
        ? `add the missing colon after ${quoteSource(name)}`
        : `write ": " instead of "${arrow}"`;
  const message = `${quoteSource(head)} is not a key with a value; ${advice}, or put text that contains brackets in quotes.`;
  return faultAt(start, start + head.length, message);
}

const foreignCommentStart = /\/[/*]+(?=[ \t"])/y;

/** Between brackets, YAML reads `// note` up to the next comma or colon as a key. */
function findForeignComment(text: string, start: number): Fault | undefined {
  if (endOfMatch(foreignCommentStart, text, start) === undefined) return undefined;
  const line = text.slice(start, endOfLine(text, start)).trimEnd();
  const message = `${quoteSource(line)} is not a key with a value; start a comment with "#".`;
  return faultAt(start, start + line.length, message);
}

const unicodeIndent = new RegExp(`[${unicodeSpaces}]+`, "y");

export function findUnicodeIndent(text: string, { body }: Line): Fault | undefined {
  const end = endOfMatch(unicodeIndent, text, body);
  if (end === undefined) return undefined;
  const name = spaceName(text.charAt(body));
  return faultAt(body, end, `A ${name} cannot indent a line in YAML; use plain spaces.`);
}

/** Such a space becomes part of the key. Consecutive lines were probably pasted together, so they are one fault. */
function findFirstUnicodeIndent(text: string, key: number): Fault | undefined {
  if (endOfMatch(unicodeIndent, text, key) === undefined || !isFirstOnLine(text, key)) return undefined;
  const line = lineAt(text, key);
  const before = previousLine(text, line);
  return before !== undefined && findUnicodeIndent(text, before) !== undefined
    ? undefined
    : findUnicodeIndent(text, line);
}

/** Looks at spaces only, since all keys may be on one long line. */
function isFirstOnLine(text: string, at: number): boolean {
  let start = at;
  while (text.charAt(start - 1) === " ") start--;
  return start === 0 || isLineBreak(text.charCodeAt(start - 1));
}

/** Reported for a list or a mapping used as a key; an unquoted template is a syntax error, as there may be more. */
export function invalidKeyError(text: string, { type, start }: MappingEvent | SequenceEvent): ParseError {
  const mark = { start, end: start + 1 };
  if (isTemplateStart(text, start) || isTemplateStart(text, start + 1))
    return ParseError.syntaxErrorAt(mark, templateMessage(text, start));
  const kind = type === EVENT_ID.MAPPING ? "mapping" : "list";
  return ParseError.rejectionAt(mark, `A ${kind} cannot be a key; write the key as text.`);
}

/** Unquoted templates in a valid part of the text: the parser reads them as a mapping in a mapping. */
export function findUnquotedTemplates(text: string, base: number, events: readonly Event[]): Fault[] {
  return events.flatMap((event) => {
    if (event.type !== EVENT_ID.MAPPING) return [];
    const start = base + event.start;
    return isTemplateStart(text, start) ? faultAt(start, start + 1, templateMessage(text, start)) : [];
  });
}

function templateMessage(text: string, start: number): string {
  // Only the first template on a line looks for the start of that line, since there may be many.
  const isFirst = /[\r\n]/.test(text.slice(Math.max(0, text.lastIndexOf("{{", start - 2)), start));
  const isBelowText = isFirst && isBelowBlockScalar(text, lineAt(text, start));
  const orIndent = isBelowText ? ", or indent the line if it belongs to the text above" : "";
  return `A mapping cannot be a key; put text that starts with "{{" in quotes${orIndent}.`;
}

function isTemplateStart(text: string, start: number): boolean {
  return text.startsWith("{{", start - 1);
}

const startMarker = /^---(?=\s|$)/gm;
const endMarker = /^\.\.\.(?=\s|$)/gm;

export function findStartMarker(text: string, from: number): number {
  startMarker.lastIndex = from;
  return startMarker.exec(text)?.index ?? from;
}

/** The first character of a document without `---`, after the `...` that ends the previous one. */
export function findBareStart(text: string, from: number): number {
  endMarker.lastIndex = from;
  const marker = endMarker.exec(text);
  return marker === null ? from : skipSpaceAndComments(text, marker.index + 3);
}

const endMarkerLine = /^\.\.\.[ \t]*(?:[ \t]#.*)?$/gm;

/** The first `...` with indented lines after it, which belong to the document that it ends. */
export function findEarlyEndMarker(text: string): Fault | undefined {
  for (const { index } of text.matchAll(endMarkerLine)) {
    const next = nextLine(text, lineAt(text, index).end, text.length);
    if (next === undefined || indentOf(next) === 0) continue;
    const message = 'This "..." ends the document before the lines below; remove the line.';
    return faultAt(index, index + 3, message);
  }
  return undefined;
}

/** Reported for the second document of a file, at its `---` or its first character. */
export function secondDocumentError(text: string, start: number, isMarked: boolean): ParseError {
  const early = findEarlyEndMarker(text.slice(0, start + 1));
  if (early !== undefined) return ParseError.rejectionAt(early, early.message);
  const end = start + (isMarked ? 3 : 1);
  if (skipSpaceAndComments(text, end) < text.length || !isMarked)
    return ParseError.rejectionAt({ start, end }, severalDocumentsMessage, "several-documents");
  const message = 'Nothing follows this "---", which would start a second document; remove the line.';
  return ParseError.rejectionAt({ start, end }, message);
}

const severalDocumentsMessage = "The file holds several YAML documents.";

export const tabMessage = "A tab cannot indent a line in YAML; use spaces.";
export const missingCommaMessage = "A comma is missing between the entries.";

const endsInQuotes = "The file ends before this text in quotes is closed.";

/** Keyed by the start of the parser's reason. The slow parser describes all other mistakes, except in long files. */
const messagesByReason: Readonly<Record<string, string>> = {
  "bad indentation of a mapping":
    "This is unexpected here; check the indentation, and put text with special characters in quotes.",
  "bad indentation of a sequence":
    "The indentation of this list entry does not match that of the entries before it.",
  "can not read a block mapping entry": "A key must be on one line; is a colon missing on the line before?",
  "deficient indentation":
    "Indent this line further than the key: it belongs to the bracket or quote that the key opens.",
  "directives end mark": 'A line with "---" is missing after the directives.',
  "end of the stream or a document separator":
    "This is unexpected here; check the indentation of this line and the one before.",
  "expected valid JSON character": "Text in quotes cannot contain control characters; write them as escapes.",
  "missed comma": missingCommaMessage,
  "null byte": "A YAML file cannot contain a NUL character.",
  "tab characters must not": tabMessage,
  "the stream contains non-printable":
    "A YAML file cannot contain this control character; write it as an escape in double quotes.",
  "unexpected end of the stream within a double": endsInQuotes,
  "unexpected end of the stream within a flow": "The file ends before a bracket is closed.",
  "unexpected end of the stream within a single": endsInQuotes,
};

export function describeParserReason(reason: string): string {
  const start = Object.keys(messagesByReason).find((known) => reason.startsWith(known)) ?? "";
  return messagesByReason[start] ?? `The file is not valid YAML: ${reason}.`;
}
