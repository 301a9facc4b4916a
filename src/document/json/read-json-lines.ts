import type { Document, DuplicateKey, Fault, Limits } from "../document.js";
import { SequenceNode, type MappingNode, type Node, type Span } from "../node.js";
import { JsonReader } from "./json-reader.js";
import { faultAt, maxFaults, ParseError, tooManyValues } from "../refusal.js";
import { openText } from "../settle.js";
import { TextDocument } from "../text-document.js";

/**
 * Reads JSON Lines as one list: an object a line, each at its own place in the file. Blank lines are skipped. A program
 * that died while it wrote leaves half a line, and its successor may have gone on behind that: such a line is a fault, and
 * what comes before the first one is still read.
 */
export function readJsonLines(source: string | Uint8Array, limits: Limits): Document {
  const opened = openText(source, "json", limits);
  if (typeof opened === "string") return readLines(opened, limits);
  return opened.text === "" ? opened : readLines(opened.text, limits, opened.faults[0]);
}

/** `foreign` is a byte that is no UTF-8: it breaks the line that holds it. */
function readLines(text: string, limits: Limits, foreign?: Fault): Document {
  const items: Node[] = [];
  const duplicateKeys: DuplicateKey[] = [];
  const faults: Fault[] = [];
  let values = 0;
  let isCutOff = false;
  for (const { start, end } of nonBlankLines(text)) {
    if (faults.length === maxFaults) break;
    // A slice that shares the start of the text keeps all offsets as they are.
    const reader = new JsonReader(text.slice(0, end), limits, start, "line");
    try {
      if (foreign !== undefined && foreign.start >= start && foreign.start < end)
        throw ParseError.syntaxError(foreign);
      const item = requireObject(reader.read());
      values += reader.valueCount;
      if (values > limits.maxValues)
        return TextDocument.failed(text, "json", tooManyValues(start, limits.maxValues));
      if (faults.length > 0) continue;
      items.push(item);
      for (const duplicate of reader.duplicates) duplicateKeys.push(duplicate);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      if (faults.length === 0 && isPrettyPrinted(text, start, end)) {
        const message = "A record has one JSON object per line; this one spans several lines.";
        faults.push(faultAt(start, end, message));
        break;
      }
      faults.push(error.fault);
      isCutOff = reader.isInsideCollection && isTruncated(text, error);
    }
  }
  const [fault] = faults;
  if (items.length > 0) {
    const root = rootSequence(text, items);
    if (fault !== undefined) faults[0] = withCutoffNote(fault, isCutOff && faults.length === 1);
    return new TextDocument(text, "json", { root, faults, duplicateKeys });
  }
  if (fault === undefined)
    faults.push(faultAt(0, 0, "The file is empty; a record has one JSON object per line."));
  return new TextDocument(text, "json", { faults });
}

/** The fault up to which a record is read. */
function withCutoffNote(fault: Fault, isCutOff: boolean): Fault {
  const message = isCutOff
    ? "The last line is cut off; only the lines before it are checked."
    : `${fault.message} Only the lines before this one are checked.`;
  return { ...fault, message };
}

/** Whether an object is written as people like to read it, and not on one line. */
function isPrettyPrinted(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === "{" && /^\s*"/u.test(text.slice(end, end + 1000));
}

/** Whether the text ends where it is wrong. */
function isTruncated(text: string, { fault, isSyntax }: ParseError): boolean {
  return isSyntax && fault.end >= text.length;
}

function requireObject(node: Node): MappingNode {
  if (node.kind === "mapping") return node;
  const span = node.kind === "sequence" ? node.head : node;
  throw ParseError.syntaxErrorAt(span, "Each line of a record is a JSON object; this one is not.");
}

function rootSequence(text: string, items: readonly Node[]): SequenceNode {
  const root = new SequenceNode(0, text.length, items, { start: 0, end: 0 });
  for (const [index, item] of items.entries()) {
    item.parent = root;
    item.key = index;
  }
  return root;
}

/** The lines that hold something, as offsets; a line ends at LF, CRLF or a lone CR, as `LineMap` counts. */
function* nonBlankLines(text: string): Iterable<Span> {
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    if (line.trim() !== "") yield { start: index, end: index + line.length };
  }
}
