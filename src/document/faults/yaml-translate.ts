import type { Fault } from "../document.js";
import { unspacedKey } from "../glued-key.js";
import { faultAt } from "../refusal.js";
import { findEarlyQuoteEnd } from "./yaml-early-ends.js";
import { describeSyntaxError, indentationMismatch, type YamlSyntaxError } from "./yaml-fault-words.js";
import { describeMixedList } from "./yaml-list-items.js";
import { unfinishedKeyFault } from "./yaml-unfinished-key.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { indentOf, lineAt, previousLine, nextLine } from "../yaml/yaml-sections.js";

/** What the parser says, at the place where its author looks for it. */
export function toFault(text: string, error: YamlSyntaxError): Fault {
  const [from, to] = error.pos;
  if (error.code === "MULTILINE_IMPLICIT_KEY" || unspacedKey.test(text.slice(from, to)) || isFence(text, from))
    return unfinishedKeyFault(text, from, endOfLine(text, from));
  if (error.message.includes("Implicit map keys"))
    return unfinishedKeyFault(text, from, Math.min(to, endOfLine(text, from)));
  if (error.message.startsWith("Block scalars with more-indented")) return overIndentedBlankLine(text, from);
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") return misplacedBlockFault(text, error);
  const start = error.code === "BAD_INDENT" ? skipComments(text, from) : skipBlanks(text, from);
  if (isMisplacedClose(text, start, error)) return faultAt(start, start + 1, misplacedCloseMessage);
  const stop = error.code === "BAD_DQ_ESCAPE" ? start + 2 : Math.max(to, start + 1);
  return faultAt(start, Math.min(stop, endOfLine(text, start)), describeSyntaxError(text, error));
}

const misplacedCloseMessage = "Indent this closing bracket at least as far as the entry that it closes.";

function isMisplacedClose(text: string, at: number, { code, message }: YamlSyntaxError): boolean {
  return code === "BAD_INDENT" && /[\]}]/.test(text.charAt(at)) && message.endsWith(text.charAt(at));
}

/** The first character from `at` on that is not a blank, on the same line; where empty lines start there, below them. */
function skipBlanks(text: string, at: number): number {
  return endOfMatch(blanks, text, at) ?? text.length;
}

const blanks = /(?:^ *[\r\n])* */my;

/**
 * The same, but where a comment starts there: what is indented wrongly is the line that it speaks of. Where that is
 * indented like the one before, "#" begins a line of a text.
 */
function skipComments(text: string, at: number): number {
  const start = skipBlanks(text, at);
  const next = text.charAt(start) === "#" ? nextLine(text, start, text.length) : undefined;
  if (next === undefined) return start;
  const before = previousLine(text, lineAt(text, start));
  return before !== undefined && indentOf(before) === indentOf(next) ? start : next.body;
}

/** Whether a line starts here that begins or ends code in Markdown. */
function isFence(text: string, at: number): boolean {
  return text.startsWith("```", at) && lineAt(text, at).body === at;
}

/** The first empty line of a block with more spaces than its text, which starts at `at`. */
function overIndentedBlankLine(text: string, at: number): Fault {
  const first = lineAt(text, at);
  let line = lineAt(text, previousLine(text, first)?.end ?? 0);
  while (line.end < first.end && indentOf(line) <= indentOf(first)) line = lineAt(text, line.end);
  const message = "This empty line has more spaces than the text below it; remove them.";
  return faultAt(line.start, line.body, message);
}

/** `a: b: c` on one line, or a line that is indented under a value as if it belonged to it. */
function misplacedBlockFault(text: string, error: YamlSyntaxError): Fault {
  const start = startOfBlock(text, error.pos[0]);
  const line = endOfLine(text, start);
  const early = findEarlyQuoteEnd(text, start);
  if (early !== undefined) return early;
  if (/^\?(?:\s|$)/.test(text.slice(start, start + 2))) return faultAt(start, start + 1, questionMarkMessage);
  if (error.message.includes("block sequence"))
    return faultAt(start, line, describeMixedList(text, start) ?? indentationMismatch);
  if (/:(?:\s|$)/.test(text.slice(start, line))) {
    const message =
      'A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.';
    return faultAt(start, line, message);
  }
  return misplacedLineFault(text, start, line);
}

/** A block whose first line has a tab or too few spaces before it begins, to the parser, at the end of the line above. */
function startOfBlock(text: string, at: number): number {
  const start = skipBlanks(text, at);
  return start < endOfLine(text, start) ? start : (nextLine(text, start, text.length)?.body ?? start);
}

const questionMarkMessage = 'Text cannot start with "?" unless it is in quotes.';

/** The line with a colon under a value of one line: a key that is indented too far, or more of the value. */
function misplacedLineFault(text: string, start: number, end: number): Fault {
  let at = skipWhitespace(text, end);
  let stop = endOfLine(text, at);
  const second = at;
  while (stop < text.length && !/:(?:\s|$)/.test(text.slice(at, stop))) {
    at = skipWhitespace(text, stop);
    stop = endOfLine(text, at);
  }
  const isText = at > second || continuesText(text, text.slice(start, end), text.slice(at, stop));
  return faultAt(at, stop, isText ? colonInTextMessage : indentedKeyMessage);
}

function continuesText(text: string, value: string, line: string): boolean {
  if (/^[^"':]*\s[^:]*:/.test(line.slice(0, maxKeyLength))) return true;
  return /\S\s+\S/.test(value) && /^\p{Lu}/u.test(line) && !isEvent(text, line);
}

/** `Solved: done`, where `done` is a key. */
function isEvent(text: string, line: string): boolean {
  const target = /^\S+:\s+([\w-]+)\s*(?:#|$)/.exec(line)?.[1];
  return target !== undefined && text.includes(` ${target}:`);
}

const maxKeyLength = 200;
const colonInTextMessage =
  'Text on several lines cannot contain ": "; put it in quotes, or write it as a block after "|".';
const indentedKeyMessage =
  "This line is indented as if it belonged to the value before it; indent it like the lines around it.";

function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}
