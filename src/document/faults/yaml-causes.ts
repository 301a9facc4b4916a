import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { quoteSource } from "../shown.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { findUnicodeSpaceAfterMark } from "../strange-space.js";
import {
  indentOf,
  isBareKey,
  parentLine,
  lineAt,
  previousLine,
  nextLine,
  type Line,
} from "../yaml/yaml-sections.js";
import { isListItem, previousSibling } from "./yaml-list-items.js";
import { findMissingBlockMark } from "./yaml-unfinished-key.js";
import { findMissingColon } from "../yaml/yaml-misread-keys.js";
import { findUnicodeIndent } from "../yaml/yaml-strange-space.js";
import { tabMessage } from "../yaml/yaml-words.js";

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

const templateWithoutBlockMessage = 'Text cannot start with "{{" unless it is in quotes, or in a block after "|".';

function startsTemplate(text: string, { body }: Line): boolean {
  return text.startsWith("{{", body);
}
