import { parseAllDocuments, type Document, type YAMLParseError } from "yaml";
import type { Fault } from "../document.js";
import { LineMap } from "../line-map.js";
import { maxFaults } from "../refusal.js";
import { causeOf } from "./yaml-causes.js";
import { missingBracket, type SyntaxError } from "./yaml-fault-words.js";
import { findEarlyEnd } from "../yaml/yaml-documents.js";
import { bareTemplates } from "../yaml/yaml-keys.js";
import { eventsOf } from "./yaml-events.js";
import { bracketsAcross, withOpening } from "./yaml-open-bracket.js";
import { isOpenQuote, openQuote, quoteOf } from "./yaml-open-quote.js";
import { bodyOf, entriesOf, lineAt, type Section } from "../yaml/yaml-sections.js";
import { withoutStacks } from "./without-stacks.js";
import { slipAbove, slippedLine } from "./yaml-slipped-line.js";
import { translateYaml } from "./yaml-translate.js";
import { missingBlock } from "./yaml-unfinished-key.js";

/** Past this size the one fault that the fast parser found must do: this one is many times slower. */
const maxLength = 256 * 1024;

/** Each error is looked at together with its line, and all of them may stand on one. */
const mostErrors = 100;

/** How deep entries are read by themselves; each level reads what is broken once more. */
const maxLevels = 5;

/** All syntax errors that are certain to be mistakes of their own, in their order; one per line. */
export function yamlFaults(text: string): Fault[] {
  if (text.length > maxLength) return [];
  const reader = new FaultReader(text);
  const start = /^---[ \t]*\r?\n/.exec(text)?.[0].length ?? 0;
  const early = findEarlyEnd(text);
  if (early !== undefined) {
    // What is open there is closed below it.
    const cut = [...entriesOf(text, { start, end: early.start })].at(-1)?.start ?? start;
    return [...reader.ofEntries({ start, end: cut }, maxLevels), early];
  }
  const own = reader.ofEntries({ start, end: text.length }, maxLevels);
  const faults = own.length > 0 ? own : reader.ofWhole({ start: 0, end: text.length });
  return [...faults, ...reader.templates].sort((a, b) => a.start - b.start).slice(0, maxFaults);
}

class FaultReader {
  private readonly lines: LineMap;
  /** Those in entries that are valid. */
  readonly templates: Fault[] = [];
  private found = 0;

  constructor(private readonly text: string) {
    this.lines = new LineMap(text);
  }

  /** The faults of the entries that are broken even by themselves. */
  ofEntries(section: Section, levels: number): Fault[] {
    const faults: Fault[] = [];
    if (levels === 0) return faults;
    let rest = section.start;
    for (const entry of entriesOf(this.text, section)) {
      if (this.found >= maxFaults) break;
      // What stands in brackets that an entry before it opened only looks like one.
      if (entry.start < rest) continue;
      const own = this.ofEntry(entry, levels);
      faults.push(...own);
      if (own.length > 0) rest = bracketsAcross(this.text, entry)?.end ?? entry.end;
    }
    return faults;
  }

  private ofEntry(entry: Section, levels: number): Fault[] {
    const events = eventsOf(this.text.slice(entry.start, entry.end));
    if (events !== undefined) {
      const templates = bareTemplates(this.text, entry.start, events);
      this.templates.push(...templates.map((fault) => slipAbove(this.text, fault) ?? fault));
      return [];
    }
    // Whatever else is wrong with its lines follows from the indentation or the mark that they lack.
    const head = lineAt(this.text, entry.start);
    const cause = slippedLine(this.text, head) ?? missingBlock(this.text, head);
    if (cause !== undefined) return this.counted([cause]);
    const whole = this.believed(entry);
    const body = whole.length > 0 ? bodyOf(this.text, entry) : undefined;
    const inner = body === undefined ? [] : this.ofEntries(body, levels - 1);
    return inner.length > 0 ? inner : this.counted(whole);
  }

  ofWhole(section: Section): Fault[] {
    return this.counted(this.believed(section));
  }

  private counted(faults: readonly Fault[]): Fault[] {
    const kept = faults.slice(0, maxFaults - this.found);
    this.found += kept.length;
    return kept;
  }

  /** Up to the first error that may have misled the parser about what follows. */
  private believed(section: Section): Fault[] {
    const faults = new Map<number, Fault>();
    for (const { fault, isContained, closing } of findingsIn(this.text, section)) {
      const { line } = this.lines.position(fault.start);
      if (!faults.has(line))
        faults.set(line, isContained ? fault : causeOf(this.text, withOpening(this.text, fault, closing)));
      if (!isContained) break;
    }
    return [...faults.values()];
  }
}

interface Finding {
  readonly fault: Fault;
  /** An error inside one value, which leaves the rest of the text as it was. */
  readonly isContained: boolean;
  /** The bracket that is missing. */
  readonly closing?: string | undefined;
}

function findingsIn(text: string, section: Section): Finding[] {
  const errors = new Map<number, readonly [YAMLParseError, Document]>();
  for (const document of documentsIn(text.slice(section.start, section.end)))
    for (const error of document.errors)
      if (!otherMatters.has(error.code) && isNews(errors.get(error.pos[0])?.[0], error))
        errors.set(error.pos[0], [error, document]);
  return [...errors.values()]
    .sort(([a], [b]) => a.pos[0] - b.pos[0])
    .slice(0, mostErrors)
    .map(([error, document]) => toFinding(text, section.start, error, document))
    .sort((a, b) => a.fault.start - b.fault.start);
}

/** Of two errors with one start, the second follows from the first; but keys on two lines may be entries in brackets. */
function isNews(first: YAMLParseError | undefined, { code }: YAMLParseError): boolean {
  return first === undefined || (first.code === "MULTILINE_IMPLICIT_KEY" && code === "BLOCK_IN_FLOW");
}

function toFinding(text: string, base: number, error: YAMLParseError, document: Document): Finding {
  const { code, message } = error;
  const moved: SyntaxError = { code, message, pos: [base + error.pos[0], base + error.pos[1]] };
  if (isOpenQuote(error)) {
    const start = base + quoteOf(error, document);
    return { fault: openQuote(text, start), isContained: false };
  }
  const fault = translateYaml(text, moved);
  return { fault, isContained: isContained(text, moved), closing: missingBracket(message) };
}

function documentsIn(text: string): readonly Document[] {
  try {
    const options = { uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
    const documents = withoutStacks(() => parseAllDocuments(text, options));
    return "empty" in documents ? [] : documents;
  } catch (error) {
    // Nested too deep for a parser that recurses.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Reported elsewhere, or no fault to us. */
const otherMatters: ReadonlySet<string> = new Set([
  "DUPLICATE_KEY",
  "IMPOSSIBLE",
  "MULTIPLE_DOCS",
  "NON_STRING_KEY",
  "RESOURCE_EXHAUSTION",
]);

const inOneValue: ReadonlySet<string> = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_DIRECTIVE",
  "BAD_SCALAR_START",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "TAG_RESOLVE_FAILED",
]);

/** What starts a line may be text that lost its indentation. */
function isContained(text: string, { code, pos }: SyntaxError): boolean {
  if (code === "BAD_DQ_ESCAPE") return true;
  if (!inOneValue.has(code) || "|>".includes(text.charAt(pos[0]))) return false;
  return code === "BAD_DIRECTIVE" || text.slice(lineAt(text, pos[0]).start, pos[0]).trim() !== "";
}
