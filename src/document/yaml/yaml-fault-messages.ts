import type { YAMLParseError } from "yaml";
import type { Fault } from "../document.js";
import { faultAt, quoteSource, spaceName, unicodeSpaces, unspacedKey } from "../fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import {
  indentOf,
  type Line,
  lineAt,
  lineContent,
  nextLine,
  parentLine,
  previousLine,
} from "./yaml-lines.js";
import { missingCommaMessage, tabMessage } from "./yaml-mistakes.js";

/** An error of the `yaml` parser, with its offsets in the whole text. */
export type YamlSyntaxError = Pick<YAMLParseError, "code" | "message" | "pos">;

/** The fault for a parser error, at the place where the author will look for it. */
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
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") return misplacedBlockFault(text, error);
  const start = error.code === "BAD_INDENT" ? skipComments(text, from) : skipBlanks(text, from);
  const stop = error.code === "BAD_DQ_ESCAPE" ? start + 2 : Math.max(to, start + 1);
  return faultAt(start, Math.min(stop, endOfLine(text, start)), describeSyntaxError(text, error));
}

/** Skips spaces on the line, and empty lines if they start at `at`. */
function skipBlanks(text: string, at: number): number {
  return endOfMatch(blanks, text, at) ?? text.length;
}

const blanks = /(?:^ *[\r\n])* */my;

/** Also skips a comment, unless the line after it is indented like the one before: then "#" is part of a text. */
function skipComments(text: string, at: number): number {
  const start = skipBlanks(text, at);
  const next = text.charAt(start) === "#" ? nextLine(text, start, text.length) : undefined;
  if (next === undefined) return start;
  const before = previousLine(text, lineAt(text, start));
  return before !== undefined && indentOf(before) === indentOf(next) ? start : next.body;
}

function isFence(text: string, at: number): boolean {
  return text.startsWith("```", at) && lineAt(text, at).body === at;
}

/** `a: b: c` on one line, or a key that is indented deeper than the value before it. */
function misplacedBlockFault(text: string, error: YamlSyntaxError): Fault {
  const start = startOfBlock(text, error.pos[0]);
  const line = endOfLine(text, start);
  if (/^\?(?:\s|$)/.test(text.slice(start, start + 2)))
    return faultAt(start, start + 1, 'Text cannot start with "?" unless it is in quotes.');
  if (error.message.includes("block sequence")) return faultAt(start, line, indentationMismatch);
  if (/:(?:\s|$)/.test(text.slice(start, line))) {
    const message =
      'A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.';
    return faultAt(start, line, message);
  }
  return misplacedLineFault(text, start);
}

/** If the first line of a block has a tab or too few spaces, the parser starts the block on the line above. */
function startOfBlock(text: string, at: number): number {
  const start = skipBlanks(text, at);
  return start < endOfLine(text, start) ? start : (nextLine(text, start, text.length)?.body ?? start);
}

/** A line with a colon below a value: a key that is indented too far, or more of the value. */
function misplacedLineFault(text: string, start: number): Fault {
  let line = nextLine(text, endOfLine(text, start), text.length);
  while (line && !/:(?:\s|$)/.test(lineContent(text, line))) line = nextLine(text, line.end, text.length);
  const { body: at } = line ?? lineAt(text, start);
  const message =
    "This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.";
  return faultAt(at, endOfLine(text, at), message);
}

function describeSyntaxError(text: string, error: YamlSyntaxError): string {
  const found = quoteSource(text.slice(error.pos[0], Math.max(error.pos[1], error.pos[0] + 1)).trim());
  switch (error.code) {
    case "BAD_DQ_ESCAPE":
      return `${quoteSource(text.slice(error.pos[0], error.pos[0] + 2))} is not an escape that YAML knows; write "\\\\" for a backslash.`;
    case "BAD_INDENT":
      return describeIndent(error.message);
    case "BAD_SCALAR_START":
      return `Text cannot start with ${found} unless it is in quotes.`;
    case "MISSING_CHAR":
      return describeMissing(text, error);
    case "TAG_RESOLVE_FAILED":
      return `The tag ${found} is not valid; put text that starts with "!" in quotes.`;
    default:
      return messagesByCode[error.code] ?? describeUnexpected(text, error, found);
  }
}

const messagesByCode: Readonly<Partial<Record<YamlSyntaxError["code"], string>>> = {
  BAD_ALIAS: 'A name is missing or wrong after "&" or "*"; put text that starts with them in quotes.',
  BLOCK_IN_FLOW: 'Separate the entries with commas, and put text that contains ": " in quotes.',
  TAB_AS_INDENT: tabMessage,
};

const indentationMismatch = "The indentation of this line does not match that of the lines before it.";

/** The closing bracket that the parser expected. */
export function missingClosingBracket(message: string): string | undefined {
  return /end with a ([\]}])/.exec(message)?.[1];
}

function describeIndent(message: string): string {
  const bracket = missingClosingBracket(message);
  return bracket === undefined
    ? indentationMismatch
    : `A bracket is still open here; close it with "${bracket}" or indent this line further.`;
}

function describeMissing(text: string, { message, pos: [at] }: YamlSyntaxError): string {
  if (message.startsWith("Sequence item without")) return indentationMismatch;
  if (message.startsWith("Block scalars with more-indented"))
    return "An empty line above has more spaces than this text; remove them.";
  if (!message.includes(",")) return "Something is missing here; check the punctuation and spaces around it.";
  // Text right after a quote is not a new entry.
  return /^["'][^\s"']/.test(text.slice(at - 1, at + 1)) ? earlyQuoteEndMessage : missingCommaMessage;
}

function describeUnexpected(text: string, { message, pos: [at] }: YamlSyntaxError, found: string): string {
  const before = text.slice(lineAt(text, at).start, at).trimEnd();
  if (/(?:^|\s)[|>][-+0-9]*$/.test(before)) return 'Only a comment may follow "|" or ">" on the same line.';
  const isAfterQuote = message.endsWith("at node end") && /["']$/.test(before);
  return isAfterQuote && /^"\w/.test(found)
    ? earlyQuoteEndMessage
    : `${found} is unexpected here; check the indentation, and put text with special characters in quotes.`;
}

const earlyQuoteEndMessage =
  "The text in quotes ends before this; put quotes around the whole value, and escape those inside it.";

/** The mistake that misled the parser, if there is one on the line of the fault or the line it belongs to. */
export function findRootCause(text: string, fault: Fault): Fault {
  const line = lineAt(text, fault.start);
  if (text.charAt(line.body) === "\t") return faultAt(line.body, line.body + 1, tabMessage);
  const above = parentLine(text, line);
  return (
    findMisleadingMark(text, line) ??
    findUnspacedDashBefore(text, line) ??
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
function unfinishedKeyFault(text: string, start: number, end: number): Fault {
  const written = text.slice(start, end);
  const line = written.trimEnd() || written;
  const message = `${quoteSource(line)} is not a key with a value; ${unfinishedKeyAdvice(line)}.`;
  return faultAt(start, start + line.length, message);
}

function unfinishedKeyAdvice(line: string): string {
  if (unspacedKey.test(line)) return "put a space after the colon";
  if (line.startsWith("```"))
    return 'remove this line of Markdown, or indent it below a key with "|" if it is text';
  const ofText = /\s/.test(line) ? '; text on several lines needs "|" after its key' : "";
  return `add the missing colon, or indent the line${ofText}`;
}

/** The nearest line before with the same indentation, with no shallower line in between. */
function previousSibling(text: string, line: Line): Line | undefined {
  let before = previousLine(text, line);
  while (before !== undefined && indentOf(before) > indentOf(line)) before = previousLine(text, before);
  return before !== undefined && indentOf(before) === indentOf(line) ? before : undefined;
}

function isListItem(text: string, { body }: Line): boolean {
  return /^-(?:\s|$)/.test(text.slice(body, body + 2));
}
