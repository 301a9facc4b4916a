import type { YAMLParseError } from "yaml";
import type { Fault } from "../document.js";
import { faultAt, quoteSource, unspacedKey } from "../fault.js";
import { endOfLine, endOfMatch } from "../scan-text.js";
import { indentOf, lineAt, lineContent, nextLine, previousLine } from "./yaml-lines.js";
import { missingCommaMessage, tabMessage } from "./yaml-mistakes.js";
import { describeMixedList, unfinishedKeyFault } from "./yaml-root-causes.js";

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
  const char = text.charAt(start);
  if (error.code === "BAD_INDENT" && /[\]}]/.test(char) && error.message.endsWith(char)) {
    const message = "Indent this closing bracket at least as far as the entry that it closes.";
    return faultAt(start, start + 1, message);
  }
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
  if (error.message.includes("block sequence"))
    return faultAt(start, line, describeMixedList(text, start) ?? indentationMismatch);
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
  const isKey = /^["']?[\w.$-]+["']?:/.test(text.slice(at, at + maxKeyLength));
  return faultAt(at, endOfLine(text, at), isKey ? indentedKeyMessage : colonInTextMessage);
}

const maxKeyLength = 200;
const colonInTextMessage =
  'Text on several lines cannot contain ": "; put it in quotes, or write it as a block after "|".';
const indentedKeyMessage =
  "This line is indented as if it belonged to the value before it; indent it like the lines around it.";

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
  ALIAS_PROPS: "An alias cannot have an anchor or a tag of its own.",
  BAD_ALIAS: 'A name is missing or wrong after "&" or "*"; put text that starts with them in quotes.',
  BAD_DIRECTIVE: "This directive is not valid; only %YAML and %TAG are known.",
  BAD_PROP_ORDER: 'Anchors and tags go after "-", "?" or ":", directly before the value.',
  BLOCK_IN_FLOW: 'Separate the entries with commas, and put text that contains ": " in quotes.',
  KEY_OVER_1024_CHARS: "A key can have at most 1024 characters.",
  MULTIPLE_ANCHORS: "A value can have only one anchor.",
  MULTIPLE_TAGS: "A value can have only one tag.",
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
  const isGlued = /^["'][^\s"']/.test(text.slice(at - 1, at + 1));
  const early = isGlued ? describeEarlyEnd(text, at) : undefined;
  return early ?? missingCommaMessage;
}

function describeUnexpected(text: string, { message, pos: [at] }: YamlSyntaxError, found: string): string {
  if (message.startsWith("Block scalar header") || isAfterHeader(text, at))
    return 'Only a comment may follow "|" or ">" on the same line.';
  if (message.includes("same line with key")) return "A list must start on the line after its key.";
  if (message.startsWith("Unexpected , in flow")) return "A value is missing before this comma.";
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

/** The message for text after a closing quote or bracket, which usually should be part of the text. */
function describeEarlyEnd(text: string, at: number): string | undefined {
  const { start, end } = lineAt(text, at);
  const mark = text.slice(start, at).trimEnd().at(-1) ?? "";
  if (/["'\]}]/.test(mark) && /^,\s*$/.test(text.slice(at, end)))
    return "Outside of brackets, an entry ends with its line; remove this comma.";
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return 'Start a comment with "#".';
  switch (mark) {
    case '"':
      return earlyQuoteEndMessage('\\"');
    case "'":
      return earlyQuoteEndMessage("''");
    case "]":
      return 'The list ends before this; put text that starts with "[" in quotes.';
    case "}":
      return 'The mapping ends before this; put text that starts with "{" in quotes.';
    default:
      return undefined;
  }
}

function earlyQuoteEndMessage(escape: string): string {
  return `The text in quotes ends before this; put quotes around the whole value, and write ${escape} for a quote inside it.`;
}
