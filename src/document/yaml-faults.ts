import { parseAllDocuments, visit, type Document, type YAMLParseError } from "yaml";
import type { Fault } from "./document.js";
import { LineMap } from "./line-map.js";
import { faultAt, shown } from "./refusal.js";
import { endOfLine } from "./yaml-scan.js";

const maxFaults = 20;

/** Past this size the one fault that the fast parser found must do: this one is many times slower. */
const maxLength = 1024 * 1024;

/** All syntax errors that can be told apart, in their order; one per line, for what follows on a line is noise. */
export function yamlFaults(text: string): Fault[] {
  if (text.length > maxLength) return [];
  const lines = new LineMap(text);
  const faults = new Map<number, Fault>();
  let last = -1;
  for (const { error, document } of syntaxErrors(text)) {
    // Of two errors with one start, the second follows from the first.
    if (error.pos[0] === last) continue;
    last = error.pos[0];
    const fault = isOpenQuote(error) ? openQuote(text, error, document) : translate(text, error);
    const { line } = lines.position(fault.start);
    if (!faults.has(line)) faults.set(line, fault);
    if (faults.size >= maxFaults) break;
  }
  return [...faults.values()].sort((a, b) => a.start - b.start);
}

interface Finding {
  readonly error: YAMLParseError;
  readonly document: Document;
}

function syntaxErrors(text: string): Finding[] {
  try {
    const documents = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
    const all = "empty" in documents ? [] : documents;
    const findings = all.flatMap((document) => document.errors.map((error) => ({ error, document })));
    return findings.filter(({ error }) => !otherMatters.has(error.code));
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

function translate(text: string, error: YAMLParseError): Fault {
  const [from, to] = error.pos;
  if (error.code === "MULTILINE_IMPLICIT_KEY") return unfinishedKey(text, from);
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") return misplacedBlock(text, error);
  const start = skipBlanks(text, from);
  const stop = error.code === "BAD_DQ_ESCAPE" ? start + 2 : Math.max(to, start + 1);
  return faultAt(start, Math.min(stop, endOfLine(text, start)), describe(text, error));
}

/** The first character from `at` on that is not a blank, on the same line. */
function skipBlanks(text: string, at: number): number {
  let start = Math.min(at, text.length);
  while (text.charAt(start) === " ") start++;
  return start;
}

function isOpenQuote(error: YAMLParseError): boolean {
  return error.code === "MISSING_CHAR" && error.message.includes("closing");
}

/** The parser notices at the end of the file; the author looks for the quote that was opened. */
function openQuote(text: string, error: YAMLParseError, document: Document): Fault {
  let start = Math.min(error.pos[0], text.length);
  try {
    visit(document, {
      Scalar: (_, scalar) => {
        const isQuoted = scalar.type === "QUOTE_DOUBLE" || scalar.type === "QUOTE_SINGLE";
        if (!isQuoted || !scalar.range || scalar.range[1] !== error.pos[0]) return undefined;
        start = scalar.range[0];
        return visit.BREAK;
      },
    });
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
  }
  return faultAt(start, endOfLine(text, start), "This text in quotes is not closed.");
}

function unfinishedKey(text: string, start: number): Fault {
  const line = text.slice(start, endOfLine(text, start)).trimEnd();
  const isGlued = /^[\w.-]+:\S/.test(line);
  const advice = isGlued
    ? "put a space after the colon"
    : "add the colon that is missing, or indent the line";
  return faultAt(start, start + line.length, `${shown(line)} is no key with a value; ${advice}.`);
}

/** `a: b: c` on one line, or a line that is indented under a value as if it belonged to it. */
function misplacedBlock(text: string, error: YAMLParseError): Fault {
  const start = skipBlanks(text, error.pos[0]);
  const line = endOfLine(text, start);
  if (error.message.includes("block sequence")) return faultAt(start, line, otherIndentation);
  if (/:(?:\s|$)/.test(text.slice(start, line))) {
    const message = 'A value on the line of its key cannot hold ": "; put it in quotes or start a new line.';
    return faultAt(start, line, message);
  }
  const next = /\S/.exec(text.slice(line));
  const at = line + (next?.index ?? 0);
  const message =
    "This line is indented as if it belonged to the value before it; give it the indentation of its neighbours.";
  return faultAt(at, endOfLine(text, at), message);
}

function describe(text: string, error: YAMLParseError): string {
  const found = shown(text.slice(error.pos[0], Math.max(error.pos[1], error.pos[0] + 1)).trim());
  switch (error.code) {
    case "ALIAS_PROPS":
      return "An alias can have no anchor and no tag of its own.";
    case "BAD_ALIAS":
      return 'A name is missing or wrong after "&" or "*"; put text that starts with them in quotes.';
    case "BAD_DIRECTIVE":
      return "This directive is not valid; only %YAML and %TAG are known.";
    case "BAD_DQ_ESCAPE":
      return `${shown(text.slice(error.pos[0], error.pos[0] + 2))} is no escape that YAML knows; write "\\\\" for a backslash.`;
    case "BAD_INDENT":
      return describeIndent(error.message);
    case "BAD_PROP_ORDER":
      return "Anchors and tags stand before their value, after the mark that starts it.";
    case "BAD_SCALAR_START":
      return `Text cannot start with ${found} unless it is in quotes.`;
    case "BLOCK_IN_FLOW":
      return "Between brackets, values are separated by commas, not by lines and dashes.";
    case "KEY_OVER_1024_CHARS":
      return "A key can have at most 1024 characters.";
    case "MISSING_CHAR":
      return describeMissing(error.message);
    case "MULTIPLE_ANCHORS":
      return "A value can have only one anchor.";
    case "MULTIPLE_TAGS":
      return "A value can have only one tag.";
    case "TAB_AS_INDENT":
      return "A tab cannot indent a line in YAML; use spaces.";
    case "TAG_RESOLVE_FAILED":
      return `The tag ${found} is not valid; put text that starts with "!" in quotes.`;
    default:
      return describeUnexpected(error.message, found);
  }
}

const otherIndentation = "The indentation of this line does not match that of the lines before it.";

function describeIndent(message: string): string {
  const bracket = /end with a ([\]}])/.exec(message)?.[1];
  if (bracket !== undefined)
    return `A bracket is still open here; close it with "${bracket}" or indent this line further.`;
  return otherIndentation;
}

function describeMissing(message: string): string {
  if (message.includes("Implicit map keys")) return "A colon and a value are missing after this key.";
  if (message.includes(",")) return "A comma is missing between the entries.";
  return "Something is missing here; check the marks and spaces around it.";
}

function describeUnexpected(message: string, found: string): string {
  if (message.startsWith("Block scalar header"))
    return 'Nothing but a comment may follow "|" or ">" on its line.';
  if (message.includes("same line with key")) return "A list must start on the line after its key.";
  if (message.startsWith("Unexpected , in flow")) return "A value is missing before this comma.";
  return `${found} does not fit in here; check the indentation, and put text with special marks in quotes.`;
}
