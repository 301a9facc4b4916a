import type { Fault } from "../document.js";
import { faultAt, quoteSource, spaceName, unicodeSpaces, unspacedKey } from "../fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import {
  indentOf,
  isBareKey,
  type Line,
  lineAt,
  lineContent,
  nextLine,
  parentLine,
  previousLine,
} from "./yaml-lines.js";
import { tabMessage } from "./yaml-mistakes.js";

/** The mistake that misled the parser, if there is one on the line of the fault or the line it belongs to. */
export function findRootCause(text: string, fault: Fault): Fault {
  const line = lineAt(text, fault.start);
  if (text.charAt(line.body) === "\t") return faultAt(line.body, line.body + 1, tabMessage);
  const above = parentLine(text, line);
  return (
    findMisleadingMark(text, line) ??
    findUnspacedDashBefore(text, line) ??
    findMissingColon(text, line) ??
    (above && findMisleadingMark(text, above)) ??
    findUnquotedText(text, line, fault) ??
    findTemplateBefore(text, line, above) ??
    fault
  );
}

function findMisleadingMark(text: string, line: Line): Fault | undefined {
  return findUnspacedDash(text, line) ?? findUnicodeSpace(text, line);
}

const beforeUnicodeSpace = new RegExp(`(?:-|[\\w.$-]+:)?(?=[${unicodeSpaces}])`, "y");

/** A space that YAML reads as text, as indentation or after a key. */
function findUnicodeSpace(text: string, { body }: Line): Fault | undefined {
  const at = endOfMatch(beforeUnicodeSpace, text, body);
  if (at === undefined) return undefined;
  return faultAt(at, at + 1, `YAML reads a ${spaceName(text.charAt(at))} as text; use a plain space.`);
}

const unspacedDash = /-[\p{L}_"'][^:#\r\n]*:(?=\s|$)/uy;

function findUnspacedDash(text: string, { body }: Line): Fault | undefined {
  if (endOfMatch(unspacedDash, text, body) === undefined) return undefined;
  const entry = quoteSource(text.slice(body, endOfLine(text, body)).trimEnd());
  return faultAt(body, body + 1, `${entry} is not a list entry; put a space after "-".`);
}

/** The parser reads `-name:` as a key, and then fails at the next item. */
function findUnspacedDashBefore(text: string, line: Line): Fault | undefined {
  const peer = isListItem(text, line) ? previousSibling(text, line) : undefined;
  return peer && findUnspacedDash(text, peer);
}

// The lookbehind and the limit of 200 keep these from scanning to the end of the line at every offset.
const quotedScalar = /(?<!\\)"(?:[^"\\]|\\.)*"|'[^']*'/g;
const needsQuotes =
  /(?:[:,-]\s+|[[{]\s*)(\{\{|[\u2018-\u201f]|\*(?=\S{0,200}\s+[^\s#])|[[{](?=[^[\]{},:]*[\]}]\s*[^\s#,\]}:]))/u;

/** Text before the fault that starts with a mark that needs quotes, or with a curly quote. */
function findUnquotedText(text: string, { body }: Line, fault: Fault): Fault | undefined {
  const line = text.slice(body, endOfLine(text, body)).replace(quotedScalar, (all) => "-".repeat(all.length));
  const match = needsQuotes.exec(line);
  if (match === null) return undefined;
  const [whole, mark = ""] = match;
  const start = body + match.index + whole.length - mark.length;
  if (start > fault.start) return undefined;
  const message = /[\u2018-\u201f]/.test(mark)
    ? `${quoteSource(mark)} is not a quote in YAML; use straight quotes.`
    : `Text cannot start with ${quoteSource(mark)} unless it is in quotes.`;
  return faultAt(start, start + mark.length, message);
}

const keyBeforeBracket = /[\w.$-]+(?=(?::|[ \t]*)[{[][^{}[\]:\r\n]*:[ \t])/y;
const dashes = /(?:- +)*/y;

/** `name { a: 1, b: 2 }` or `name:{ a: 1, b: 2 }`, which YAML reads as the key `name { a`. */
function findMissingColon(text: string, { body }: Line): Fault | undefined {
  const start = endOfMatch(dashes, text, body) ?? body;
  const end = endOfMatch(keyBeforeBracket, text, start);
  if (end === undefined) return undefined;
  const key = quoteSource(text.slice(start, end));
  return faultAt(start, end, `${key} is not a key with a value; write ": " after it.`);
}

const beforeTemplate = /(?:[\w.$-]+:[ \t]+)?(?=\{\{)/y;

/** An unquoted template at the start of a text on several lines. */
function findTemplateBefore(text: string, line: Line, above: Line | undefined): Fault | undefined {
  const peer = previousSibling(text, line);
  const first = peer && text.startsWith("{{", peer.body) ? peer : above;
  const at = first && endOfMatch(beforeTemplate, text, first.body);
  if (at === undefined) return undefined;
  return faultAt(at, at + 2, 'Text cannot start with "{{" unless it is in quotes, or in a block after "|".');
}

/** Reported for a line that should be a key but is not. */
export function unfinishedKeyFault(text: string, start: number, end: number): Fault {
  const written = text.slice(start, end);
  const line = halfQuotedKey.test(written)
    ? lineContent(text, { ...lineAt(text, start), body: start })
    : written.trimEnd() || written;
  const mixture = line.startsWith("- ") ? describeMixedList(text, start) : undefined;
  const advice = unfinishedKeyAdvice(line);
  const message = mixture ?? `${quoteSource(line)} is not a key with a value; ${advice}.`;
  return faultAt(start, start + line.length, message);
}

/** `"a: b` and `"a: b"`. */
const halfQuotedKey = /^["'][\w.$-]+:/;

function unfinishedKeyAdvice(line: string): string {
  if (/^[\p{C}\s]*$/u.test(line)) return "remove it";
  if (/^\/[/*]/.test(line)) return 'start a comment with "#"';
  if (halfQuotedKey.test(line)) return "close the quote before the colon, or indent the line";
  if (unspacedKey.test(line)) return "put a space after the colon";
  if (line.startsWith("```"))
    return 'remove this line of Markdown, or indent it below a key with "|" if it is text';
  const ofText = /\s/.test(line) ? '; text on several lines needs "|" after its key' : "";
  return `add the missing colon, or indent the line${ofText}`;
}

/** The message for a list item among keys, or a key among list items. */
export function describeMixedList(text: string, at: number): string | undefined {
  const line = lineAt(text, at);
  if (at > line.body) return undefined;
  let peer = previousSibling(text, line);
  if (peer === undefined) return undefined;
  if (isListItem(text, line)) return isAmongKeys(text, peer) ? itemAmongKeysMessage : undefined;
  // A list may be indented like its key, and then another key may follow.
  while (peer !== undefined && isListItem(text, peer)) peer = previousSibling(text, peer);
  return peer === undefined ? lineAmongItemsMessage : undefined;
}

const itemAmongKeysMessage = 'A list item cannot appear among keys; remove "- ", or correct the indentation.';
const lineAmongItemsMessage =
  'This line is among list items but has no "- "; add it, remove theirs, or correct the indentation.';

/** The nearest line before with the same indentation, with no shallower line in between. */
function previousSibling(text: string, line: Line): Line | undefined {
  let before = previousLine(text, line);
  while (before !== undefined && indentOf(before) > indentOf(line)) before = previousLine(text, before);
  return before !== undefined && indentOf(before) === indentOf(line) ? before : undefined;
}

function isListItem(text: string, { body }: Line): boolean {
  return /^-(?:\s|$)/.test(text.slice(body, body + 2));
}

/** Not after a key whose value is a list or a block scalar: the item may belong to that. */
function isAmongKeys(text: string, key: Line): boolean {
  const written = text.slice(key.body, endOfLine(text, key.body));
  if (isListItem(text, key) || !/:(?:\s|$)/.test(written) || /\s[|>][-+\d]*\s*$/.test(written)) return false;
  const below = nextLine(text, key.end, text.length);
  return !(isBareKey(text, key) && below !== undefined && isListItem(text, below));
}
