import { type Event, EVENT_ID, type MappingEvent, type SequenceEvent } from "js-yaml";
import type { Fault } from "../document.js";
import { faultAt, ParseError, quoteSource } from "../fault.js";
import { isLineBreak } from "../line-map.js";
import type { Span } from "../node.js";
import { endOfLine, endOfMatch, skipSpaceAndComments } from "../scan-text.js";
import { spaceName, unicodeSpaces } from "../typos.js";
import { indentOf, isBelowBlockScalar, type Line, lineAt, nextLine, previousLine } from "./yaml-lines.js";

/** What the object is in which a key stands: in brackets, or an item of a list. */
interface KeyContext {
  readonly isFlow: boolean;
  readonly isItem: boolean;
}

/** What a key without quotes was surely meant to be, where it is one only to the letter of YAML. */
export function findMisreadKey(
  text: string,
  { start }: Span,
  { isFlow, isItem }: KeyContext,
): readonly Fault[] {
  // An item such as `- returns {status: ok}` is prose as often.
  const colon = isFlow || isItem ? undefined : findMissingColon(text, start, "{");
  const fault = findFirstUnicodeIndent(text, start) ?? (isFlow ? findForeignComment(text, start) : colon);
  return fault === undefined ? [] : [fault];
}

const keyThenBracket =
  /([\w.$-]+?)(:|[ \t]*(?:(-{1,3}>|={1,3}>?|:=|\u2192)[ \t]*)?)([{[])[^{}[\]:\r\n]*:(?=[ \t])/y;

/** `on_event { Go: e }`: a bracket that is opened in the key and closed at the end of its value. */
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

/** Between brackets, the comment of another language goes on until a comma or a colon. */
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

/**
 * At the start of a line such a space looks like indentation, and would become a part of the key. Lines that follow each
 * other were pasted together: that is one fault.
 */
function findFirstUnicodeIndent(text: string, key: number): Fault | undefined {
  if (endOfMatch(unicodeIndent, text, key) === undefined || !isFirstOnLine(text, key)) return undefined;
  const line = lineAt(text, key);
  const before = previousLine(text, line);
  return before !== undefined && findUnicodeIndent(text, before) !== undefined
    ? undefined
    : findUnicodeIndent(text, line);
}

/** Whether only spaces stand before it. No more than those are looked at: all keys may be on one long line. */
function isFirstOnLine(text: string, at: number): boolean {
  let start = at;
  while (text.charAt(start - 1) === " ") start--;
  return start === 0 || isLineBreak(text.charCodeAt(start - 1));
}

/** Said of a list or a mapping in the place of a key. Where it is a template without quotes, there may be more of them. */
export function invalidKeyError(text: string, { type, start }: MappingEvent | SequenceEvent): ParseError {
  const mark = { start, end: start + 1 };
  if (isTemplateStart(text, start) || isTemplateStart(text, start + 1))
    return ParseError.syntaxErrorAt(mark, templateMessage(text, start));
  const kind = type === EVENT_ID.MAPPING ? "mapping" : "list";
  return ParseError.rejectionAt(mark, `A ${kind} cannot be a key; write the key as text.`);
}

/** The templates without quotes in a part of the text that is valid: a mapping in a mapping to the parser. */
export function findUnquotedTemplates(text: string, base: number, events: readonly Event[]): Fault[] {
  return events.flatMap((event) => {
    if (event.type !== EVENT_ID.MAPPING) return [];
    const start = base + event.start;
    return isTemplateStart(text, start) ? faultAt(start, start + 1, templateMessage(text, start)) : [];
  });
}

function templateMessage(text: string, start: number): string {
  // Of many on one line, only the first looks for where it starts.
  const isFirst = /[\r\n]/.test(text.slice(Math.max(0, text.lastIndexOf("{{", start - 2)), start));
  const isBelowText = isFirst && isBelowBlockScalar(text, lineAt(text, start));
  const orIndent = isBelowText ? ", or indent the line if it belongs to the text above" : "";
  return `A mapping cannot be a key; put text that starts with "{{" in quotes${orIndent}.`;
}

/** Whether the mapping that starts here stands right after the bracket of another. */
function isTemplateStart(text: string, start: number): boolean {
  return text.startsWith("{{", start - 1);
}

const startMarker = /^---(?=\s|$)/gm;
const endMarker = /^\.\.\.(?=\s|$)/gm;

/** The `---` that starts a document, sought from the end of what stands before it. */
export function findStartMarker(text: string, from: number): number {
  startMarker.lastIndex = from;
  return startMarker.exec(text)?.index ?? from;
}

/** The first character of a document that starts without `---`, after the `...` of the one before. */
export function findBareStart(text: string, from: number): number {
  endMarker.lastIndex = from;
  const marker = endMarker.exec(text);
  return marker === null ? from : skipSpaceAndComments(text, marker.index + 3);
}

const endMarkerLine = /^\.\.\.[ \t]*(?:[ \t]#.*)?$/gm;

/** The first `...` after which the lines go on indented: they are a part of the document that it ends. */
export function findEarlyEndMarker(text: string): Fault | undefined {
  for (const { index } of text.matchAll(endMarkerLine)) {
    const next = nextLine(text, lineAt(text, index).end, text.length);
    if (next !== undefined && indentOf(next) > 0) return faultAt(index, index + 3, earlyEndMessage);
  }
  return undefined;
}

const earlyEndMessage =
  'This "..." ends the document, and the lines below are no part of it; remove the line.';

/** Said of the second document of a file, at its `---` or its first character. */
export function secondDocumentError(text: string, start: number, isMarked: boolean): ParseError {
  const early = findEarlyEndMarker(text.slice(0, start + 1));
  if (early !== undefined) return ParseError.rejectionAt(early, early.message);
  const end = start + (isMarked ? 3 : 1);
  if (skipSpaceAndComments(text, end) < text.length || !isMarked)
    return ParseError.rejectionAt(
      { start, end },
      "The file holds several YAML documents.",
      "several-documents",
    );
  const message = 'Nothing follows this "---", which would start a second document; remove the line.';
  return ParseError.rejectionAt({ start, end }, message);
}

export const tabMessage = "A tab cannot indent a line in YAML; use spaces.";

/** Sentences for what the YAML parser says, told by how it starts. */
const messagesByReason: readonly (readonly [string, string])[] = [
  ["a line break is expected", 'Only a comment may follow "|" or ">" on the same line.'],
  ["a whitespace character is expected after", "A space is missing after this colon."],
  ["alias node should not", "An alias cannot have an anchor or a tag of its own."],
  ["bad explicit indentation", 'The indentation after "|" or ">" must be a digit from 1 to 9.'],
  [
    "bad indentation of a mapping",
    "This is unexpected here; check the indentation, and put text with special characters in quotes.",
  ],
  [
    "bad indentation of a sequence",
    "The indentation of this list entry does not match that of the entries before it.",
  ],
  ["can not read a block mapping entry", "A key must be on one line; is a colon missing on the line before?"],
  [
    "deficient indentation",
    "Indent this line further than the key: it belongs to the bracket or quote that the key opens.",
  ],
  ["directives end mark", 'A line with "---" is missing after the directives.'],
  ["duplication of a tag", "A value can have only one tag."],
  ["duplication of an anchor", "A value can have only one anchor."],
  [
    "end of the stream or a document separator",
    "This is unexpected here; check the indentation of this line and the one before.",
  ],
  ["expected ':' after a mapping key", "A colon is missing after this key."],
  ["expected hexadecimal character", "This escape needs more hexadecimal digits."],
  ["expected the node content", "A value is missing before this comma."],
  [
    "expected valid JSON character",
    "Text in quotes cannot contain control characters; write them as escapes.",
  ],
  ["missed comma", "A comma is missing between the entries."],
  ["name of an alias", 'A name is missing after "*"; put text that starts with "*" in quotes.'],
  ["name of an anchor", 'A name is missing after "&"; put text that starts with "&" in quotes.'],
  ["null byte", "A YAML file cannot contain a NUL character."],
  ["repeat of", 'Each sign after "|" or ">" may appear only once.'],
  ["tab characters must not", tabMessage],
  [
    "the stream contains non-printable",
    "A YAML file cannot contain this control character; write it as an escape in double quotes.",
  ],
  ["undeclared tag handle", 'This tag is not declared; put text that starts with "!" in quotes.'],
  ["unexpected end of the document within", "The document ends before this text in quotes is closed."],
  [
    "unexpected end of the stream within a double",
    "The file ends before the text in double quotes is closed.",
  ],
  ["unexpected end of the stream within a flow", "The file ends before a bracket is closed."],
  [
    "unexpected end of the stream within a single",
    "The file ends before the text in single quotes is closed.",
  ],
  ["unexpected end of the stream within a verbatim", 'The file ends before a tag is closed with ">".'],
  ["unknown escape sequence", 'This is not an escape that YAML knows; write "\\\\" for a backslash.'],
];

export function describeParserReason(reason: string): string {
  const known = messagesByReason.find(([start]) => reason.startsWith(start));
  return known?.[1] ?? `The file is not valid YAML: ${reason}.`;
}

export function isIndentationReason(reason: string): boolean {
  return reason.includes("indentation");
}
