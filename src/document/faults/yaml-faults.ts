import { parseAllDocuments, type Document, type YAMLParseError } from "yaml";
import type { Fault } from "../document.js";
import { LineMap } from "../line-map.js";
import { maxFaults } from "../refusal.js";
import { findRootCause } from "./yaml-causes.js";
import { missingClosingBracket, type YamlSyntaxError } from "./yaml-fault-words.js";
import { findEarlyEndMarker } from "../yaml/yaml-documents.js";
import { findUnquotedTemplates } from "../yaml/yaml-keys.js";
import { parseIfValid } from "./yaml-events.js";
import { findBracketsClosedLater, withOpeningBracket } from "./yaml-open-bracket.js";
import { isUnclosedQuote, unclosedQuoteFault, openingQuoteOffset } from "./yaml-open-quote.js";
import { entryBody, splitEntries, lineAt, type Section } from "../yaml/yaml-sections.js";
import { withoutStackTraces } from "./without-stacks.js";
import { findOutdentedLineAbove, findOutdentedTextLine } from "./yaml-slipped-line.js";
import { toFault } from "./yaml-translate.js";
import { findMissingBlockMark } from "./yaml-unfinished-key.js";

/** Past this size the one fault that the fast parser found must do: this one is many times slower. */
const maxLength = 256 * 1024;

/** Each error is looked at together with its line, and all of them may stand on one. */
const maxErrors = 100;

/** How deep entries are read by themselves; each level reads what is broken once more. */
const maxLevels = 5;

/** All syntax errors that are certain to be mistakes of their own, in their order; one per line. */
export function findYamlFaults(text: string): Fault[] {
  if (text.length > maxLength) return [];
  const reader = new YamlFaultFinder(text);
  const start = /^---[ \t]*\r?\n/.exec(text)?.[0].length ?? 0;
  const early = findEarlyEndMarker(text);
  if (early !== undefined) {
    // What is open there is closed below it.
    const cut = [...splitEntries(text, { start, end: early.start })].at(-1)?.start ?? start;
    return [...reader.inEntries({ start, end: cut }, maxLevels), early];
  }
  const own = reader.inEntries({ start, end: text.length }, maxLevels);
  const faults = own.length > 0 ? own : reader.inWhole({ start: 0, end: text.length });
  return [...faults, ...reader.templates].sort((a, b) => a.start - b.start).slice(0, maxFaults);
}

class YamlFaultFinder {
  private readonly lines: LineMap;
  /** Those in entries that are valid. */
  readonly templates: Fault[] = [];
  private found = 0;

  constructor(private readonly text: string) {
    this.lines = new LineMap(text);
  }

  /** The faults of the entries that are broken even by themselves. */
  inEntries(section: Section, levels: number): Fault[] {
    const faults: Fault[] = [];
    if (levels === 0) return faults;
    let rest = section.start;
    for (const entry of splitEntries(this.text, section)) {
      if (this.found >= maxFaults) break;
      // What stands in brackets that an entry before it opened only looks like one.
      if (entry.start < rest) continue;
      const own = this.inEntry(entry, levels);
      faults.push(...own);
      if (own.length > 0) rest = findBracketsClosedLater(this.text, entry)?.end ?? entry.end;
    }
    return faults;
  }

  private inEntry(entry: Section, levels: number): Fault[] {
    const events = parseIfValid(this.text.slice(entry.start, entry.end));
    if (events !== undefined) {
      const templates = findUnquotedTemplates(this.text, entry.start, events);
      this.templates.push(...templates.map((fault) => findOutdentedLineAbove(this.text, fault) ?? fault));
      return [];
    }
    // Whatever else is wrong with its lines follows from the indentation or the mark that they lack.
    const head = lineAt(this.text, entry.start);
    const cause = findOutdentedTextLine(this.text, head) ?? findMissingBlockMark(this.text, head);
    if (cause !== undefined) return this.takeUpToLimit([cause]);
    const whole = this.reliableFaults(entry);
    const body = whole.length > 0 ? entryBody(this.text, entry) : undefined;
    const inner = body === undefined ? [] : this.inEntries(body, levels - 1);
    return inner.length > 0 ? inner : this.takeUpToLimit(whole);
  }

  inWhole(section: Section): Fault[] {
    return this.takeUpToLimit(this.reliableFaults(section));
  }

  private takeUpToLimit(faults: readonly Fault[]): Fault[] {
    const kept = faults.slice(0, maxFaults - this.found);
    this.found += kept.length;
    return kept;
  }

  /** Up to the first error that may have misled the parser about what follows. */
  private reliableFaults(section: Section): Fault[] {
    const faults = new Map<number, Fault>();
    for (const { fault, isContained, closing } of translateErrorsIn(this.text, section)) {
      const { line } = this.lines.position(fault.start);
      if (!faults.has(line))
        faults.set(line, isContained ? fault : findRootCause(this.text, withOpeningBracket(this.text, fault, closing)));
      if (!isContained) break;
    }
    return [...faults.values()];
  }
}

interface TranslatedError {
  readonly fault: Fault;
  /** An error inside one value, which leaves the rest of the text as it was. */
  readonly isContained: boolean;
  /** The bracket that is missing. */
  readonly closing?: string | undefined;
}

function translateErrorsIn(text: string, section: Section): TranslatedError[] {
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

/** Of two errors with one start, the second follows from the first; but keys on two lines may be entries in brackets. */
function isSeparateError(first: YAMLParseError | undefined, { code }: YAMLParseError): boolean {
  return first === undefined || (first.code === "MULTILINE_IMPLICIT_KEY" && code === "BLOCK_IN_FLOW");
}

function translateError(text: string, base: number, error: YAMLParseError, document: Document): TranslatedError {
  const { code, message } = error;
  const moved: YamlSyntaxError = { code, message, pos: [base + error.pos[0], base + error.pos[1]] };
  if (isUnclosedQuote(error)) {
    const start = base + openingQuoteOffset(error, document);
    return { fault: unclosedQuoteFault(text, start), isContained: false };
  }
  const fault = toFault(text, moved);
  return { fault, isContained: isContained(text, moved), closing: missingClosingBracket(message) };
}

function parseDocuments(text: string): readonly Document[] {
  try {
    const options = { uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
    const documents = withoutStackTraces(() => parseAllDocuments(text, options));
    return "empty" in documents ? [] : documents;
  } catch (error) {
    // Nested too deep for a parser that recurses.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Reported elsewhere, or no fault to us. */
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

/** What starts a line may be text that lost its indentation. */
function isContained(text: string, { code, pos }: YamlSyntaxError): boolean {
  if (code === "BAD_DQ_ESCAPE") return true;
  if (!containedCodes.has(code) || "|>".includes(text.charAt(pos[0]))) return false;
  return code === "BAD_DIRECTIVE" || text.slice(lineAt(text, pos[0]).start, pos[0]).trim() !== "";
}
