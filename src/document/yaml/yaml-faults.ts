import { type Document, parseAllDocuments, visit, type YAMLParseError } from "yaml";
import {
  type Fault,
  faultAt,
  maxFaults,
  quoteSource,
  spaceName,
  unicodeSpaces,
  unspacedKey,
  withOpening,
} from "../document.js";
import type { Span } from "../node.js";
import {
  endOfLine,
  endOfMatch,
  indentOf,
  type Line,
  lineAt,
  LineMap,
  nextLine,
  previousLine,
} from "../scan-text.js";
import { findUnquotedTemplates, tabMessage } from "./read-yaml.js";
import { maskQuotesAndComment, parseIfValid } from "./yaml-events.js";

/** A longer file gets only the fault of the fast parser: this one is many times slower. */
const maxLength = 256 * 1024;

/** Each error is examined together with its line, and all of them may be on one line. */
const maxErrors = 100;

/** How deep entries are checked separately; each level parses the broken parts once more. */
const maxLevels = 5;

/** The syntax errors that do not follow from others, in text order, at most one per line. */
export function findYamlFaults(text: string): Fault[] {
  if (text.length > maxLength) return [];
  const reader = new YamlFaultFinder(text);
  const start = /^---[ \t]*\r?\n/.exec(text)?.[0].length ?? 0;
  const own = reader.inEntries({ start, end: text.length }, maxLevels);
  const faults = own.length > 0 ? own : reader.inSection({ start: 0, end: text.length });
  return [...faults, ...reader.templates].sort((a, b) => a.start - b.start).slice(0, maxFaults);
}

class YamlFaultFinder {
  private readonly lines: LineMap;
  readonly templates: Fault[] = [];
  private found = 0;

  constructor(private readonly text: string) {
    this.lines = new LineMap(text);
  }

  inEntries(section: Span, levels: number): Fault[] {
    const faults: Fault[] = [];
    if (levels === 0) return faults;
    for (const entry of splitEntries(this.text, section)) {
      faults.push(...this.inEntry(entry, levels));
      if (this.found >= maxFaults) break;
    }
    return faults;
  }

  private inEntry(entry: Span, levels: number): Fault[] {
    const events = parseIfValid(this.text.slice(entry.start, entry.end));
    if (events !== undefined) {
      this.templates.push(...findUnquotedTemplates(this.text, entry.start, events));
      return [];
    }
    const body = entryBody(this.text, entry);
    const inner = body === undefined ? [] : this.inEntries(body, levels - 1);
    return inner.length > 0 ? inner : this.inSection(entry);
  }

  /** Stops at the first error that may have misled the parser about what follows. */
  inSection(section: Span): Fault[] {
    const faults = new Map<number, Fault>();
    for (const { fault, isContained } of translateErrorsIn(this.text, section)) {
      const { line } = this.lines.position(fault.start);
      const cause = isContained ? fault : findRootCause(this.text, fault);
      if (!faults.has(line)) faults.set(line, cause);
      if (!isContained) break;
    }
    const kept = [...faults.values()].slice(0, maxFaults - this.found);
    this.found += kept.length;
    return kept;
  }
}

const keyPattern = /(?:"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|[\p{L}\p{N}_$./][^:#\r\n]*):(?=\s|$)/uy;
const dashPattern = /-(?=\s|$)/y;
const nothingAfterKey = /[ \t]*(?:&\S+[ \t]*)?(?:(?<=[ \t])#.*)?(?=[\r\n])/y;

/** In a valid file, each line with the indentation of the first key starts an entry that is valid by itself. */
function splitEntries(text: string, { start, end }: Span): Span[] {
  const first = nextLine(text, start, end);
  if (first === undefined) return [];
  const mark = endOfMatch(keyPattern, text, first.body) === undefined ? dashPattern : keyPattern;
  const starts: number[] = [];
  for (let line: Line | undefined = first; line !== undefined; line = nextLine(text, line.end, end)) {
    if (indentOf(line) < indentOf(first)) return [];
    const isEntry = indentOf(line) === indentOf(first) && endOfMatch(mark, text, line.body) !== undefined;
    if (isEntry) starts.push(line.start);
    else if (line === first) return [];
  }
  return starts.map((from, i) => ({ start: from, end: starts[i + 1] ?? end }));
}

/** The lines under the key of an entry whose value does not start on the line of the key. */
function entryBody(text: string, { start, end }: Span): Span | undefined {
  const head = nextLine(text, start, end);
  const colon = head && endOfMatch(keyPattern, text, head.body);
  if (head === undefined || colon === undefined) return undefined;
  if (endOfMatch(nothingAfterKey, text, colon) === undefined) return undefined;
  const first = nextLine(text, head.end, end);
  return first !== undefined && indentOf(first) > indentOf(head) ? { start: head.end, end } : undefined;
}

/** An error of the `yaml` parser, with its offsets in the whole text. */
type YamlSyntaxError = Pick<YAMLParseError, "code" | "message" | "pos">;

interface TranslatedError {
  readonly fault: Fault;
  /** An error inside one value, which leaves the rest of the text as it was. */
  readonly isContained: boolean;
}

function translateErrorsIn(text: string, { start: base, end }: Span): TranslatedError[] {
  const errors = new Map<number, readonly [YAMLParseError, Document]>();
  for (const document of parseDocuments(text.slice(base, end)))
    for (const error of document.errors)
      if (!ignoredCodes.has(error.code) && isSeparateError(errors.get(error.pos[0])?.[0], error))
        errors.set(error.pos[0], [error, document]);
  return [...errors.values()]
    .sort(([a], [b]) => a.pos[0] - b.pos[0])
    .slice(0, maxErrors)
    .map(([error, document]) => translateError(text, base, error, document))
    .sort((a, b) => a.fault.start - b.fault.start);
}

function translateError(
  text: string,
  base: number,
  { code, message, pos: [from, to] }: YAMLParseError,
  document: Document,
): TranslatedError {
  if (code === "MISSING_CHAR" && message.includes("closing")) {
    const start = Math.min(base + openingQuoteOffset(from, document), text.length);
    const advice = "This text in quotes is not closed; close it, or indent the lines that continue it.";
    return { fault: faultAt(start, endOfLine(text, start), advice), isContained: false };
  }
  const error: YamlSyntaxError = { code, message, pos: [base + from, base + to] };
  const fault = withOpeningBracket(text, toFault(text, error), missingClosingBracket(message));
  return { fault, isContained: isContained(text, error) };
}

/** A second error at the same offset follows from the first, except for entries inside brackets. */
function isSeparateError(first: YAMLParseError | undefined, { code }: YAMLParseError): boolean {
  return first === undefined || (first.code === "MULTILINE_IMPLICIT_KEY" && code === "BLOCK_IN_FLOW");
}

function parseDocuments(text: string): readonly Document[] {
  try {
    const options = { uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
    const documents = withoutStackTraces(() => parseAllDocuments(text, options));
    return "empty" in documents ? [] : documents;
  } catch (error) {
    // The parser recurses, so deep nesting exhausts the stack.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The parser creates thousands of errors; collecting their stack traces takes longer than everything else. */
export function withoutStackTraces<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Reported elsewhere, or not a fault for this tool. */
const ignoredCodes: ReadonlySet<string> = new Set([
  ...["DUPLICATE_KEY", "IMPOSSIBLE", "MULTIPLE_DOCS", "NON_STRING_KEY", "RESOURCE_EXHAUSTION"],
]);

const containedCodes: ReadonlySet<string> = new Set([
  ...["ALIAS_PROPS", "BAD_ALIAS", "BAD_DIRECTIVE", "BAD_SCALAR_START", "MULTIPLE_ANCHORS", "MULTIPLE_TAGS"],
  "TAG_RESOLVE_FAILED",
]);

/** At the start of a line, the error may be due to text that lost its indentation. */
function isContained(text: string, { code, pos: [at] }: YamlSyntaxError): boolean {
  if (code === "BAD_DQ_ESCAPE") return true;
  if (!containedCodes.has(code) || "|>".includes(text.charAt(at))) return false;
  return code === "BAD_DIRECTIVE" || text.slice(lineAt(text, at).start, at).trim() !== "";
}

function missingClosingBracket(message: string): string | undefined {
  return /end with a ([\]}])/.exec(message)?.[1];
}

function withOpeningBracket(text: string, fault: Fault, closing: string | undefined): Fault {
  const start = closing === undefined ? undefined : findOpenBracketBefore(text, fault.start);
  if (start === undefined || text.charAt(start) !== (closing === "]" ? "[" : "{")) return fault;
  return withOpening(fault, start);
}

function findOpenBracketBefore(text: string, at: number): number | undefined {
  let closed = 0;
  for (let line: Line | undefined = lineAt(text, at); line !== undefined; line = previousLine(text, line)) {
    const code = maskQuotesAndComment(text, line);
    for (let index = Math.min(code.length, at - line.start) - 1; index >= 0; index--) {
      const mark = code.charAt(index);
      if (mark === "]" || mark === "}") closed++;
      else if ((mark === "[" || mark === "{") && --closed < 0) return line.start + index;
    }
  }
  return undefined;
}

/** The parser reports an unclosed quote at the end of the text. */
function openingQuoteOffset(end: number, document: Document): number {
  let start = end;
  try {
    visit(document, {
      Scalar: (_, { type, range }) => {
        const isQuoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
        if (!isQuoted || range?.[1] !== end) return undefined;
        [start] = range;
        return visit.BREAK;
      },
    });
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
  }
  return start;
}

function toFault(text: string, error: YamlSyntaxError): Fault {
  const { code, message, pos } = error;
  const [from, to] = pos;
  const isFence = text.startsWith("```", from) && lineAt(text, from).body === from;
  if (code === "MULTILINE_IMPLICIT_KEY" || isFence || unspacedKey.test(text.slice(from, to)))
    return unfinishedKeyFault(text, from, endOfLine(text, from));
  if (message.includes("Implicit map keys"))
    return unfinishedKeyFault(text, from, Math.min(to, endOfLine(text, from)));
  if (code === "BLOCK_AS_IMPLICIT_KEY") return misplacedBlockFault(text, error);
  const start = code === "BAD_INDENT" ? skipComments(text, from) : skipBlanks(text, from);
  const stop = code === "BAD_DQ_ESCAPE" ? start + 2 : Math.max(to, start + 1);
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

/** `a: b: c` on one line, or a key that is indented deeper than the value before it. */
function misplacedBlockFault(text: string, { message, pos }: YamlSyntaxError): Fault {
  // If the first line of a block has a tab or too few spaces, the parser starts the block on the line above.
  const block = skipBlanks(text, pos[0]);
  const start = block < endOfLine(text, block) ? block : (nextLine(text, block, text.length)?.body ?? block);
  const end = endOfLine(text, start);
  if (/^\?(?:\s|$)/.test(text.slice(start, start + 2)))
    return faultAt(start, start + 1, 'Text cannot start with "?" unless it is in quotes.');
  if (message.includes("block sequence")) return faultAt(start, end, indentationMismatch);
  if (hasColon(text, start)) {
    const advice =
      'A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.';
    return faultAt(start, end, advice);
  }
  // A line with a colon below a value: a key that is indented too far, or more of the value.
  let line = nextLine(text, end, text.length);
  while (line && !hasColon(text, line.body)) line = nextLine(text, line.end, text.length);
  const { body: at } = line ?? lineAt(text, start);
  const advice =
    "This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.";
  return faultAt(at, endOfLine(text, at), advice);
}

function hasColon(text: string, at: number): boolean {
  return /^(?:(?!\s#).)*:(?:\s|$)/.test(text.slice(at, endOfLine(text, at)));
}

function describeSyntaxError(text: string, error: YamlSyntaxError): string {
  const [from, to] = error.pos;
  const found = quoteSource(text.slice(from, Math.max(to, from + 1)).trim());
  switch (error.code) {
    case "BAD_ALIAS":
      return 'A name is missing or wrong after "&" or "*"; put text that starts with them in quotes.';
    case "BAD_DQ_ESCAPE":
      return `${quoteSource(text.slice(from, from + 2))} is not an escape that YAML knows; write "\\\\" for a backslash.`;
    case "BAD_INDENT": {
      const bracket = missingClosingBracket(error.message);
      return bracket === undefined
        ? indentationMismatch
        : `A bracket is still open here; close it with "${bracket}" or indent this line further.`;
    }
    case "BAD_SCALAR_START":
      return `Text cannot start with ${found} unless it is in quotes.`;
    case "BLOCK_IN_FLOW":
      return 'Separate the entries with commas, and put text that contains ": " in quotes.';
    case "MISSING_CHAR":
      return describeMissing(text, error);
    case "TAB_AS_INDENT":
      return tabMessage;
    case "TAG_RESOLVE_FAILED":
      return `The tag ${found} is not valid; put text that starts with "!" in quotes.`;
    default:
      return describeUnexpected(text, error, found);
  }
}

const indentationMismatch = "The indentation of this line does not match that of the lines before it.";

function describeMissing(text: string, { message, pos: [at] }: YamlSyntaxError): string {
  if (message.startsWith("Sequence item without")) return indentationMismatch;
  if (message.startsWith("Block scalars with more-indented"))
    return "An empty line above has more spaces than this text; remove them.";
  if (!message.includes(",")) return "Something is missing here; check the punctuation and spaces around it.";
  // Text right after a quote is not a new entry.
  const isAfterQuote = /^["'][^\s"']/.test(text.slice(at - 1, at + 1));
  return isAfterQuote ? earlyQuoteEndMessage : "A comma is missing between the entries.";
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
function findRootCause(text: string, fault: Fault): Fault {
  const line = lineAt(text, fault.start);
  if (text.charAt(line.body) === "\t") return faultAt(line.body, line.body + 1, tabMessage);
  const above = previousLine(text, line);
  let parent = above;
  while (parent !== undefined && indentOf(parent) >= indentOf(line)) parent = previousLine(text, parent);
  return (
    findMisleadingMark(text, line) ??
    (above && findMisleadingMark(text, above)) ??
    (parent && findMisleadingMark(text, parent)) ??
    findUnquotedText(text, line, fault) ??
    findTemplateBefore(text, line, above) ??
    fault
  );
}

const beforeUnicodeSpace = new RegExp(`(?:-|[\\w.$-]+:)?(?=[${unicodeSpaces}])`, "y");
const unspacedDash = /-[\p{L}_"'][^:#\r\n]*:(?=\s|$)/uy;

/** A dash that begins a key, or a space that is text, as indentation or after a key. */
function findMisleadingMark(text: string, { body }: Line): Fault | undefined {
  const space = endOfMatch(beforeUnicodeSpace, text, body);
  if (space !== undefined) {
    const name = spaceName(text.charAt(space));
    return faultAt(space, space + 1, `YAML reads a ${name} as text; use a plain space.`);
  }
  if (endOfMatch(unspacedDash, text, body) === undefined) return undefined;
  const entry = quoteSource(text.slice(body, endOfLine(text, body)).trimEnd());
  return faultAt(body, body + 1, `${entry} is not a list entry; put a space after "-".`);
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
  if (above === undefined || indentOf(above) > indentOf(line)) return undefined;
  const at = endOfMatch(beforeTemplate, text, above.body);
  if (at === undefined || (indentOf(above) === indentOf(line) && at > above.body)) return undefined;
  return faultAt(at, at + 2, 'Text cannot start with "{{" unless it is in quotes, or in a block after "|".');
}
