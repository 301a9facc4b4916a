import type { Fault } from "../document.js";
import { faultAt, quoteSource } from "../fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { arrowAdvice, findUnicodeSpaceAfterMark, unspacedKey } from "../typos.js";
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
import { findMissingColon, findUnicodeIndent, tabMessage } from "./yaml-mistakes.js";

/** The mistake that misled the parser, if there is one on the line of the fault or the line it belongs to. */
export function findRootCause(text: string, fault: Fault): Fault {
  const line = lineAt(text, fault.start);
  const above = parentLine(text, line);
  if (text.charAt(line.body) === "\t") return faultAt(line.body, line.body + 1, tabMessage);
  return (
    findUnicodeIndent(text, line) ??
    findMisleadingMark(text, line) ??
    findUnspacedDashBefore(text, line) ??
    findMissingColon(text, endOfMatch(dashes, text, line.body) ?? line.body) ??
    (above && (findUnicodeIndent(text, above) ?? findMisleadingMark(text, above))) ??
    findUnquotedText(text, line, fault) ??
    (above && findTemplateAbove(text, above, fault)) ??
    findTemplateUnderKey(text, fault) ??
    fault
  );
}

function findMisleadingMark(text: string, line: Line): Fault | undefined {
  return findUnspacedDash(text, line) ?? findUnicodeSpace(text, line) ?? findBullet(text, line);
}

function findUnicodeSpace(text: string, { body }: Line): Fault | undefined {
  const found = findUnicodeSpaceAfterMark(text, body);
  return found && faultAt(found.at, found.at + 1, found.message);
}

function findBullet(text: string, { body }: Line): Fault | undefined {
  if (!/^[\u2022\u2013\u2014\u25cf] /.test(text.slice(body, body + 2))) return undefined;
  const bullet = quoteSource(text.charAt(body));
  return faultAt(body, body + 1, `${bullet} does not start a list entry in YAML; write "-".`);
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

const dashes = /(?:- +)*/y;

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

/** An unquoted template whose text continues below it, unless it may be a badly indented part of a block scalar. */
function findTemplateAbove(text: string, above: Line, fault: Fault): Fault | undefined {
  const before = previousLine(text, above);
  if (before !== undefined && indentOf(before) > indentOf(above)) return undefined;
  const cause = findUnquotedText(text, above, fault);
  return cause !== undefined && text.startsWith("{{", cause.start) ? cause : undefined;
}

/** A template at the start of the text under a key that lacks its "|". */
function findTemplateUnderKey(text: string, fault: Fault): Fault | undefined {
  const line = nextLine(text, lineAt(text, fault.start).start, text.length);
  const above = line && parentLine(text, line);
  const key = above && startsTemplate(text, above) ? parentLine(text, above) : above;
  if (key === undefined || !isBareKey(text, key)) return undefined;
  const first = nextLine(text, key.end, text.length);
  if (first === undefined || !startsTemplate(text, first)) return undefined;
  const message = 'Text cannot start with "{{" unless it is in quotes, or in a block after "|".';
  return faultAt(first.body, first.body + 2, message);
}

function startsTemplate(text: string, { body }: Line): boolean {
  return text.startsWith("{{", body);
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
  const arrow = arrowAdvice(line);
  if (arrow !== undefined) return arrow;
  if (/^[^\s\uff1a]+\uff1a/.test(line)) return 'write ": " instead of "\uff1a"';
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
