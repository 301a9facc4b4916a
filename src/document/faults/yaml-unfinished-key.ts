import type { Fault } from "../document.js";
import { arrowAdvice, unspacedKey } from "../glued-key.js";
import { faultAt } from "../refusal.js";
import { quoteSource } from "../shown.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { multilineTextKeys } from "../text-keys.js";
import { describeMixedList } from "./yaml-list-items.js";
import {
  indentOf,
  isBareKey,
  isBelowBlockScalar,
  type Line,
  parentLine,
  lineAt,
  previousLine,
  nextLine,
  lineContent,
} from "../yaml/yaml-sections.js";

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
  if (first === undefined || indentOf(first) <= indentOf(key) || !looksLikeProse(text, first)) return undefined;
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
export function looksLikeProse(text: string, line: Line): boolean {
  return /^(?:\p{Lu}|[\p{L}\p{N}][^:]*\s)/u.test(lineContent(text, line));
}

function isSentence(line: string): boolean {
  return !keyColon.test(line) && /^(?:[^-"'[\]{}|>]|\{\{)/.test(line);
}

const keyColon = /:(?=\s|$)/;
