import type { YAMLParseError } from "yaml";
import type { Fault } from "../document.js";
import { faultAt, quoteSource } from "../fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { unspacedKey } from "../typos.js";
import { indentOf, lineAt, nextLine, previousLine } from "./yaml-lines.js";
import { tabMessage } from "./yaml-mistakes.js";
import { describeMixedList, unfinishedKeyFault } from "./yaml-root-causes.js";

/** What the parser says, at the place where its author looks for it. */
export function toFault(text: string, error: YamlSyntaxError): Fault {
  const [from, to] = error.pos;
  if (
    error.code === "MULTILINE_IMPLICIT_KEY" ||
    unspacedKey.test(text.slice(from, to)) ||
    isFence(text, from)
  )
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
  const isText = at > second || continuesText(text.slice(start, end), text.slice(at, stop));
  return faultAt(at, stop, isText ? colonInTextMessage : indentedKeyMessage);
}

function continuesText(value: string, line: string): boolean {
  if (/^[^"':]*\s[^:]*:/.test(line.slice(0, maxKeyLength))) return true;
  return /\S\s+\S/.test(value) && /^\p{Lu}/u.test(line);
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

/** What the parser that recovers says, at a place in the whole text. */
export type YamlSyntaxError = Pick<YAMLParseError, "code" | "message" | "pos">;

function describeSyntaxError(text: string, error: YamlSyntaxError): string {
  const found = quoteSource(text.slice(error.pos[0], Math.max(error.pos[1], error.pos[0] + 1)).trim());
  switch (error.code) {
    case "ALIAS_PROPS":
      return "An alias cannot have an anchor or a tag of its own.";
    case "BAD_ALIAS":
      return 'A name is missing or wrong after "&" or "*"; put text that starts with them in quotes.';
    case "BAD_DIRECTIVE":
      return "This directive is not valid; only %YAML and %TAG are known.";
    case "BAD_DQ_ESCAPE":
      return `${quoteSource(text.slice(error.pos[0], error.pos[0] + 2))} is not an escape that YAML knows; write "\\\\" for a backslash.`;
    case "BAD_INDENT":
      return describeIndent(error.message);
    case "BAD_PROP_ORDER":
      return 'Anchors and tags go after "-", "?" or ":", directly before the value.';
    case "BAD_SCALAR_START":
      return `Text cannot start with ${found} unless it is in quotes.`;
    case "BLOCK_IN_FLOW":
      return text.startsWith("-", error.pos[0]) ? dashInBracketsMessage : noCommaMessage;
    case "KEY_OVER_1024_CHARS":
      return "A key can have at most 1024 characters.";
    case "MISSING_CHAR":
      return describeMissing(text, error);
    case "MULTIPLE_ANCHORS":
      return "A value can have only one anchor.";
    case "MULTIPLE_TAGS":
      return "A value can have only one tag.";
    case "TAB_AS_INDENT":
      return tabMessage;
    case "TAG_RESOLVE_FAILED":
      return `The tag ${found} is not valid; put text that starts with "!" in quotes.`;
    default:
      return describeUnexpected(text, error, found);
  }
}

const dashInBracketsMessage = "Between brackets, values are separated by commas, not by lines and dashes.";
const noCommaMessage = 'Separate the entries with commas, and put text that contains ": " in quotes.';

const indentationMismatch = "The indentation of this line does not match that of the lines before it.";

/** The bracket that should have ended a collection, as the parser says of it. */
export function missingClosingBracket(message: string): string | undefined {
  return /end with a ([\]}])/.exec(message)?.[1];
}

function describeIndent(message: string): string {
  const bracket = missingClosingBracket(message);
  if (bracket !== undefined)
    return `A bracket is still open here; close it with "${bracket}" or indent this line further.`;
  return indentationMismatch;
}

function describeMissing(text: string, { message, pos: [at] }: YamlSyntaxError): string {
  if (message.startsWith("Sequence item without")) return indentationMismatch;
  // Without a blank before it, this is no entry of its own.
  const isGlued = /^["'][^\s"']/.test(text.slice(at - 1, at + 1));
  if (message.includes(","))
    return (isGlued ? describeEarlyEnd(text, at) : undefined) ?? describeMissingComma(text, at);
  return "Something is missing here; check the punctuation and spaces around it.";
}

function describeMissingComma(text: string, at: number): string {
  const [, name] =
    /(?:^|[\s{,])([\w.$-]+)[ \t]*$/.exec(text.slice(Math.max(0, at - maxNameLength), at)) ?? [];
  const isColon = name !== undefined && /[[{]/.test(text.charAt(at));
  return `A comma is missing between the entries${isColon ? `, or a colon after ${quoteSource(name)}` : ""}.`;
}

const maxNameLength = 100;

function describeUnexpected(text: string, { message, pos: [at] }: YamlSyntaxError, found: string): string {
  if (message.startsWith("Block scalar header") || isAfterHeader(text, at))
    return 'Only a comment may follow "|" or ">" on the same line.';
  if (message.includes("same line with key")) return "A list must start on the line after its key.";
  if (message.startsWith("Unexpected , in flow")) return "A value is missing before this comma.";
  const surplus = /^Unexpected flow-(?:seq|map)-end/.test(message)
    ? adviseOnExtraBracket(text, at)
    : undefined;
  if (surplus !== undefined) return `${found} is unexpected here; ${surplus}.`;
  const early = message.endsWith("at node end") ? describeEarlyEnd(text, at) : undefined;
  return (
    early ??
    describeMixedList(text, at) ??
    `${found} is unexpected here; check the indentation, and put text with special characters in quotes.`
  );
}

function isAfterHeader(text: string, at: number): boolean {
  return /(?:^|\s)[|>][-+0-9]*[ \t]+$/.test(text.slice(lineAt(text, at).start, at));
}

/** What to do about a bracket that closes none, where the lines around it tell. */
function adviseOnExtraBracket(text: string, at: number): string | undefined {
  const line = lineAt(text, at);
  const before = text.slice(line.body, at);
  const [, key] = /^(?:- +)*([\w.-]+):[[{]/.exec(before) ?? [];
  if (key !== undefined) return `put a space after the colon of "${key}:"`;
  const above = previousLine(text, line);
  const goesOn = above !== undefined && /[,[{]\s*$/.test(text.slice(above.body, line.start));
  const isOpen = before.split(/[[{]/).length > before.split(/[\]}]/).length;
  if (goesOn || isOpen) return undefined;
  return "no bracket is open, so remove it, or put text that contains brackets in quotes";
}

/** What to say where text follows the mark that ends its value: as a rule the mark was meant to be part of the text. */
function describeEarlyEnd(text: string, at: number): string | undefined {
  const { start, end } = lineAt(text, at);
  const line = text.slice(start, end);
  const mark = text.slice(start, at).trimEnd().at(-1) ?? "";
  if (/["'\]}]/.test(mark) && /^,\s*$/.test(text.slice(at, end)))
    return "Outside of brackets, an entry ends with its line; remove this comma.";
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return 'Start a comment with "#".';
  switch (mark) {
    case '"':
      return describeEarlyQuoteEnd('\\"', /['\\]/.test(line) ? undefined : "single");
    case "'":
      return describeEarlyQuoteEnd("''", /["\\]/.test(line) ? undefined : "double");
    case "]":
      return 'The list ends before this; put text that starts with "[" in quotes.';
    case "}":
      return 'The mapping ends before this; put text that starts with "{" in quotes.';
    default:
      return undefined;
  }
}

/** The other kind of quotes is named only where the text could stand in it as it is. */
function describeEarlyQuoteEnd(escape: string, others: "single" | "double" | undefined): string {
  const inside = `write ${escape} for a quote inside it`;
  const advice =
    others === undefined
      ? `put quotes around the whole value, and ${inside}`
      : `${inside}, or put the whole value in ${others} quotes`;
  return `The text in quotes ends before this; ${advice}.`;
}

const quotedScalar = /"(?:[^"\\\r\n]|\\.)*"[ \t]*|'[^'\r\n]*'[ \t]*/y;

/** For a text in quotes that starts here and is followed by more text on its line, and not by the colon of a key. */
function findEarlyQuoteEnd(text: string, start: number): Fault | undefined {
  const at = endOfMatch(quotedScalar, text, start);
  if (at === undefined) return undefined;
  const message = /[^\s:]/.test(text.charAt(at)) ? describeEarlyEnd(text, at) : undefined;
  return message === undefined ? undefined : faultAt(at, endOfLine(text, at), message);
}
