import type { Fault } from "../document.js";
import { faultAt, quoteSource } from "../fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { arrowAdvice, findUnicodeSpaceAfterMark, multilineTextKeys, unspacedKey } from "../typos.js";
import {
  blockScalarAbove,
  indentOf,
  isBareKey,
  isBelowBlockScalar,
  type Line,
  lineAt,
  lineContent,
  nextLine,
  parentLine,
  previousLine,
} from "./yaml-lines.js";
import { findMissingColon, findUnicodeIndent, tabMessage } from "./yaml-mistakes.js";

/** What the parser stumbles over is often not what the author did: the mark that misled it, where one is to be seen. */
export function findRootCause(text: string, fault: Fault): Fault {
  const line = lineAt(text, fault.start);
  const above = parentLine(text, line);
  return (
    findTabIndent(text, line) ??
    findUnicodeIndent(text, line) ??
    findMisleadingMark(text, line) ??
    findUnspacedDashBefore(text, line) ??
    findMissingColonInLine(text, line) ??
    (above && (findUnicodeIndent(text, above) ?? findMisleadingMark(text, above))) ??
    (above && findMissingBlockMark(text, above)) ??
    findUnquotedText(text, line, fault) ??
    (above && findTemplateAbove(text, above, fault)) ??
    findTemplateUnderKey(text, fault) ??
    fault
  );
}

/** A mark at the start of a line that does not mean what it looks like. */
function findMisleadingMark(text: string, line: Line): Fault | undefined {
  return findUnspacedDash(text, line) ?? findUnicodeSpace(text, line) ?? findBullet(text, line);
}

function findTabIndent(text: string, { body }: Line): Fault | undefined {
  return text.charAt(body) === "\t" ? faultAt(body, body + 1, tabMessage) : undefined;
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

/** To the parser that is a key, and the item after it stands among keys. */
function findUnspacedDashBefore(text: string, line: Line): Fault | undefined {
  const peer = isListItem(text, line) ? previousSibling(text, line) : undefined;
  return peer && findUnspacedDash(text, peer);
}

function findMissingColonInLine(text: string, { body }: Line): Fault | undefined {
  return findMissingColon(text, endOfMatch(dashes, text, body) ?? body);
}

const dashes = /(?:- +)*/y;

// A quote after a backslash opens nothing, and a name has an end: else each of them would be sought to the end of the line.
const quotedScalar = /(?<!\\)"(?:[^"\\]|\\.)*"|'[^']*'/g;
const needsQuotes =
  /(?:[:,-]\s+|[[{]\s*)(\{\{|[\u2018-\u201f]|\*(?=\S{0,200}\s+[^\s#])|[[{](?=[^[\]{},:]*[\]}]\s*[^\s#,\]}:]))/u;

/** Text that starts before the fault with a mark which needs quotes, or with quotes that are none. */
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

/** A template without quotes whose text goes on below it; under lines further in, it may be text that lost its indentation. */
function findTemplateAbove(text: string, above: Line, fault: Fault): Fault | undefined {
  const before = previousLine(text, above);
  if (before !== undefined && indentOf(before) > indentOf(above)) return undefined;
  const cause = findUnquotedText(text, above, fault);
  return cause !== undefined && text.startsWith("{{", cause.start) ? cause : undefined;
}

/** A template that starts the lines under a key which lacks the "|" for text on several of them. */
function findTemplateUnderKey(text: string, fault: Fault): Fault | undefined {
  const line = nextLine(text, lineAt(text, fault.start).start, text.length);
  const above = line && parentLine(text, line);
  const key = above && startsTemplate(text, above) ? parentLine(text, above) : above;
  if (key === undefined || !isBareKey(text, key)) return undefined;
  const first = nextLine(text, key.end, text.length);
  if (first === undefined || !startsTemplate(text, first)) return undefined;
  return faultAt(first.body, first.body + 2, templateWithoutBlockMessage);
}

const templateWithoutBlockMessage =
  'Text cannot start with "{{" unless it is in quotes, or in a block after "|".';

function startsTemplate(text: string, { body }: Line): boolean {
  return text.startsWith("{{", body);
}

/** Said of what stands in the place of a key and is none. */
export function unfinishedKeyFault(text: string, start: number, end: number): Fault {
  const misquoted = findMisquotedKey(text, start);
  if (misquoted !== undefined) return misquoted;
  const whole = text.slice(start, end);
  const line = whole.trimEnd() || whole;
  const mixture = line.startsWith("- ") ? describeMixedList(text, start) : undefined;
  if (mixture !== undefined) return faultAt(start, start + line.length, mixture);
  const key = /\s|^```/.test(line) ? bareKeyAbove(text, start) : undefined;
  const otherwise = key === undefined ? "add the missing colon, or indent the line" : blockAdvice(text, key);
  return notAKeyFault(start, line, unfinishedKeyAdvice(text, start, line) ?? otherwise);
}

/** Said of the first such line where those under a key that takes text read as one that lacks its "|". */
export function findMissingBlockMark(text: string, key: Line): Fault | undefined {
  const line = isBareKey(text, key) ? findSentenceUnder(text, key) : undefined;
  if (line === undefined || !expectsText(text, key)) return undefined;
  return notAKeyFault(line.body, lineContent(text, line), blockAdvice(text, key));
}

const quotedKey = /(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*')[ \t]*:(?=\s|$)/y;

/** Said of `"a: b` and `"a: b"`, where these are no value of the key before. */
function findMisquotedKey(text: string, start: number): Fault | undefined {
  const own = lineAt(text, start);
  const line = lineContent(text, { ...own, body: start });
  const [, quote = "", rest = ""] = /^(["'])[\w.$-]+:(\1|\s.*|)$/.exec(line) ?? [];
  if (quote === "" || endOfMatch(quotedKey, text, start) !== undefined) return undefined;
  if (isValueOfPreviousKey(text, start, own)) return undefined;
  const isLate = rest.split(quote).length % 2 === 0;
  const advice = `${isLate ? "move the closing quote" : "close the quote"} before the colon`;
  const mayBeText = own.body === start && isBelowBlockScalar(text, own);
  return notAKeyFault(start, line, mayBeText ? `${advice}, or indent the line` : advice);
}

function isValueOfPreviousKey(text: string, start: number, line: Line): boolean {
  const key = line.body === start ? previousLine(text, line) : undefined;
  if (key === undefined || !isBareKey(text, key)) return false;
  return indentOf(key) === indentOf(line) || expectsText(text, key);
}

/** Elsewhere the lines may be entries, of which one is broken. */
function expectsText(text: string, key: Line): boolean {
  const above = parentLine(text, key);
  const isFragment = above !== undefined && indentOf(above) === 0 && keyName(text, above) === "fragments";
  return isFragment || multilineTextKeys.has(keyName(text, key));
}

function notAKeyFault(start: number, line: string, advice: string): Fault {
  return faultAt(start, start + line.length, `${quoteSource(line)} is not a key with a value; ${advice}.`);
}

function unfinishedKeyAdvice(text: string, start: number, line: string): string | undefined {
  if (/^[\p{C}\s]*$/u.test(line)) return "remove it";
  if (line.startsWith("```")) return fenceAdvice(text, start);
  if (/^\/[/*]/.test(line)) return 'start a comment with "#"';
  const arrow = arrowAdvice(line);
  if (arrow !== undefined) return arrow;
  if (/^[^\s\uff1a]+\uff1a/.test(line)) return 'write ": " instead of "\uff1a"';
  return unspacedKey.test(line) ? "put a space after the colon" : undefined;
}

/** A mark of code in Markdown stands around the file or a value; below the lines of a text, it may be a part of that. */
function fenceAdvice(text: string, start: number): string | undefined {
  const remove = "remove this line of Markdown";
  const line = lineAt(text, start);
  const key = bareKeyAbove(text, start);
  if (key !== undefined) return expectsText(text, key) ? undefined : remove;
  const isLast = start === line.start && nextLine(text, line.end, text.length) === undefined;
  if (isLast || !isBelowBlockScalar(text, line)) return remove;
  return "indent it if it belongs to the text above, or else remove it";
}

function blockAdvice(text: string, key: Line): string {
  return `add the missing colon, or put "|" after ${quoteSource(`${keyName(text, key)}:`)} if this is text`;
}

/** Of a key with nothing beside it. */
function keyName(text: string, { body }: Line): string {
  return text.slice(body, endOfLine(text, body)).replace(/^(?:- +)*|:\s*(?:#.*)?$/g, "");
}

/** The key with nothing beside it under which a line is the first. */
function bareKeyAbove(text: string, start: number): Line | undefined {
  const line = lineAt(text, start);
  const key = line.body === start ? previousLine(text, line) : undefined;
  return key !== undefined && indentOf(key) < indentOf(line) && isBareKey(text, key) ? key : undefined;
}

/** The first sentence among the lines under a key, when these read as text and yet not as one value. */
function findSentenceUnder(text: string, key: Line): Line | undefined {
  const first = nextLine(text, key.end, text.length);
  if (first === undefined || indentOf(first) <= indentOf(key) || !looksLikeProse(text, first))
    return undefined;
  if (isSentence(lineContent(text, first))) return isCutByComment(text, first) ? first : undefined;
  for (const line of followingLines(text, first))
    if (indentOf(line) === indentOf(first) && isSentence(lineContent(text, line))) return line;
  return undefined;
}

/** Whether a value that starts here ends at a "#", such as that of a heading, and text follows. */
function isCutByComment(text: string, first: Line): boolean {
  let before = first;
  for (const line of followingLines(text, first)) {
    if (/\s#/.test(text.slice(before.body, line.start))) return true;
    before = line;
  }
  return false;
}

/** Those below that are indented at least as far. */
function* followingLines(text: string, first: Line): Iterable<Line> {
  let line = nextLine(text, first.end, text.length);
  while (line !== undefined && indentOf(line) >= indentOf(first)) {
    yield line;
    line = nextLine(text, line.end, text.length);
  }
}

/** `You are a bot`, `Steps to take: ...` or `Role: helper`: the names of entries are single words in lower case. */
function looksLikeProse(text: string, line: Line): boolean {
  return /^(?:\p{Lu}|[\p{L}\p{N}][^:]*\s)/u.test(lineContent(text, line));
}

function isSentence(line: string): boolean {
  return !keyColon.test(line) && /^(?:[^-"'[\]{}|>]|\{\{)/.test(line);
}

const keyColon = /:(?=\s|$)/;

/** Said of `Note: ...` in a block of text that lost its indentation, and with that ends the block: below it, the text goes on. */
export function findOutdentedTextLine(text: string, line: Line): Fault | undefined {
  const head = looksLikeProse(text, line) ? blockScalarAbove(text, line) : undefined;
  const [, key = ""] = /^(?:- +)*(\w+):/.exec(head === undefined ? "" : lineContent(text, head)) ?? [];
  if (head === undefined || !multilineTextKeys.has(key)) return undefined;
  const first = nextLine(text, head.end, line.start);
  const below = nextLine(text, line.end, text.length);
  if (first === undefined || below === undefined || indentOf(below) !== indentOf(first)) return undefined;
  if (isEntryWithValue(lineContent(text, line), lineContent(text, below))) return undefined;
  const message = `This line ends the text of "${key}"; indent it to keep it in the text.`;
  return faultAt(line.body, endOfLine(text, line.body), message);
}

/** Whether a line like `Third:` has the entries or items below it for its value, or opens a bracket or quote for it. */
function isEntryWithValue(line: string, below: string): boolean {
  if (/:\s+(?:["'[]|\{(?!\{))/.test(line)) return true;
  return /:(?:\s+&\S+)?$/.test(line) && /^(?:-|["']?[\w.$-]+["']?:)(?:\s|$)/.test(below);
}

/** The same of the line right above what the parser takes for something else than text. */
export function findOutdentedLineAbove(text: string, { start }: Fault): Fault | undefined {
  const above = previousLine(text, lineAt(text, start));
  return above && findOutdentedTextLine(text, above);
}

/** What to say where a line begins that is an item of a list among keys, or the other way round. */
export function describeMixedList(text: string, at: number): string | undefined {
  const line = lineAt(text, at);
  if (at > line.body) return undefined;
  let peer = previousSibling(text, line);
  if (peer === undefined) return undefined;
  if (isListItem(text, line)) return isAmongKeys(text, peer) ? itemAmongKeysMessage : undefined;
  // A list may be indented like its key; then what follows it is another key.
  while (peer !== undefined && isListItem(text, peer)) peer = previousSibling(text, peer);
  return peer === undefined ? lineAmongItemsMessage : undefined;
}

const itemAmongKeysMessage = 'A list item cannot stand among keys; remove "- ", or correct the indentation.';
const lineAmongItemsMessage =
  'This line stands among list items and has no "- "; add it, remove theirs, or correct the indentation.';

/** The nearest line before with the same indentation, and none with less between. */
function previousSibling(text: string, line: Line): Line | undefined {
  let before = previousLine(text, line);
  while (before !== undefined && indentOf(before) > indentOf(line)) before = previousLine(text, before);
  return before !== undefined && indentOf(before) === indentOf(line) ? before : undefined;
}

function isListItem(text: string, { body }: Line): boolean {
  return /^-(?:\s|$)/.test(text.slice(body, body + 2));
}

/** Not after a key that has a list or a block of text: of that, the item may be a part. */
function isAmongKeys(text: string, key: Line): boolean {
  const written = text.slice(key.body, endOfLine(text, key.body));
  if (isListItem(text, key) || !/:(?:\s|$)/.test(written) || /\s[|>][-+\d]*\s*$/.test(written)) return false;
  const below = nextLine(text, key.end, text.length);
  return !(isBareKey(text, key) && below !== undefined && isListItem(text, below));
}
