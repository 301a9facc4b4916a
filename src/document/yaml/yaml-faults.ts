import { type Document, parseAllDocuments, visit, type YAMLParseError } from "yaml";
import type { Fault } from "../document.js";
import { faultAt, maxFaults, withOpening } from "../fault.js";
import { LineMap } from "../line-map.js";
import type { Span } from "../node.js";
import { endOfLine } from "../scan-text.js";
import { maskQuotesAndComment, parseIfValid } from "./yaml-events.js";
import {
  findRootCause,
  missingClosingBracket,
  toFault,
  type YamlSyntaxError,
} from "./yaml-fault-messages.js";
import { entryBody, type Line, lineAt, previousLine, splitEntries } from "./yaml-lines.js";
import { findUnquotedTemplates } from "./yaml-mistakes.js";

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
  /** Unquoted templates in valid entries. */
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

interface TranslatedError {
  readonly fault: Fault;
  /** An error inside one value, which leaves the rest of the text as it was. */
  readonly isContained: boolean;
}

function translateErrorsIn(text: string, section: Span): TranslatedError[] {
  const errors = new Map<number, readonly [YAMLParseError, Document]>();
  for (const document of parseDocuments(text.slice(section.start, section.end)))
    for (const error of document.errors)
      if (!ignoredCodes.has(error.code) && isSeparateError(errors.get(error.pos[0])?.[0], error))
        errors.set(error.pos[0], [error, document]);
  return [...errors.values()]
    .sort(([a], [b]) => a.pos[0] - b.pos[0])
    .slice(0, maxErrors)
    .map(([error, document]) => translateError(text, section.start, error, document))
    .sort((a, b) => a.fault.start - b.fault.start);
}

/** A second error at the same offset follows from the first, except for entries inside brackets. */
function isSeparateError(first: YAMLParseError | undefined, { code }: YAMLParseError): boolean {
  return first === undefined || (first.code === "MULTILINE_IMPLICIT_KEY" && code === "BLOCK_IN_FLOW");
}

function translateError(
  text: string,
  base: number,
  error: YAMLParseError,
  document: Document,
): TranslatedError {
  const { code, message } = error;
  const moved: YamlSyntaxError = { code, message, pos: [base + error.pos[0], base + error.pos[1]] };
  if (isUnclosedQuote(error)) {
    const start = base + openingQuoteOffset(error, document);
    return { fault: unclosedQuoteFault(text, start), isContained: false };
  }
  const fault = toFault(text, moved);
  const closing = missingClosingBracket(message);
  return {
    fault: closing === undefined ? fault : withOpeningBracket(text, fault, closing),
    isContained: isContained(text, moved),
  };
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

/** Reported elsewhere, or not a fault for this tool. */
const ignoredCodes: ReadonlySet<string> = new Set([
  "DUPLICATE_KEY",
  "IMPOSSIBLE",
  "MULTIPLE_DOCS",
  "NON_STRING_KEY",
  "RESOURCE_EXHAUSTION",
]);

const containedCodes: ReadonlySet<string> = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_DIRECTIVE",
  "BAD_SCALAR_START",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "TAG_RESOLVE_FAILED",
]);

/** At the start of a line, the error may be due to text that lost its indentation. */
function isContained(text: string, { code, pos }: YamlSyntaxError): boolean {
  if (code === "BAD_DQ_ESCAPE") return true;
  if (!containedCodes.has(code) || "|>".includes(text.charAt(pos[0]))) return false;
  return code === "BAD_DIRECTIVE" || text.slice(lineAt(text, pos[0]).start, pos[0]).trim() !== "";
}

/** Adds the place of the bracket that is open at a fault, where `closing` was expected. */
function withOpeningBracket(text: string, fault: Fault, closing: string): Fault {
  const start = findOpenBracketBefore(text, fault.start);
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

function isUnclosedQuote(error: YAMLParseError): boolean {
  return error.code === "MISSING_CHAR" && error.message.includes("closing");
}

/** The parser reports an unclosed quote at the end of the text. */
function openingQuoteOffset(error: YAMLParseError, document: Document): number {
  let [start] = error.pos;
  try {
    visit(document, {
      Scalar: (_, scalar) => {
        const isQuoted = scalar.type === "QUOTE_DOUBLE" || scalar.type === "QUOTE_SINGLE";
        if (!isQuoted || !scalar.range || scalar.range[1] !== error.pos[0]) return undefined;
        [start] = scalar.range;
        return visit.BREAK;
      },
    });
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
  }
  return start;
}

function unclosedQuoteFault(text: string, start: number): Fault {
  const from = Math.min(start, text.length);
  const message = "This text in quotes is not closed; close it, or indent the lines that continue it.";
  return faultAt(from, endOfLine(text, from), message);
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
