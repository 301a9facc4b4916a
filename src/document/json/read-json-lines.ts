import type { Document, DuplicateKey, Fault, Limits } from "../document.js";
import { SequenceNode, type MappingNode, type Node, type Span } from "../node.js";
import { JsonReader } from "./json-reader.js";
import { faultAt, maxFaults, Refusal, tooMany } from "../refusal.js";
import { openText } from "../settle.js";
import { TextDocument } from "../text-document.js";

/**
 * Reads JSON Lines as one list: an object a line, each at its own place in the file. Blank lines are skipped. A program
 * that died while it wrote leaves a last line that is cut off: that is a fault, and what comes before is still read.
 */
export function readJsonLines(source: string | Uint8Array, limits: Limits): Document {
  const text = openText(source, "json", limits);
  return typeof text === "string" ? readLines(text, limits) : text;
}

function readLines(text: string, limits: Limits): Document {
  const items: Node[] = [];
  const duplicateKeys: DuplicateKey[] = [];
  const faults: Fault[] = [];
  let values = 0;
  let isCutOff = false;
  for (const { start, end } of linesOf(text)) {
    if (faults.length === maxFaults) break;
    // A slice that shares the start of the text keeps all offsets as they are.
    const reader = new JsonReader(text.slice(0, end), limits, start, "line");
    try {
      items.push(requireObject(reader.read()));
      values += reader.values;
      if (values > limits.maxValues)
        return TextDocument.refused(text, "json", tooMany(start, limits.maxValues));
      for (const duplicate of reader.duplicates) duplicateKeys.push(duplicate);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (faults.length === 0 && isSpread(text, start, end)) {
        const message = "A record has one JSON object per line; this one spans several lines.";
        return TextDocument.refused(text, "json", Refusal.ofBrokenText({ start, end }, message));
      }
      faults.push(error.fault);
      isCutOff = reader.isWithin && lacksOnlyMore(text, error);
    }
  }
  if (items.length + faults.length === 0)
    faults.push(faultAt(0, 0, "The file is empty; a record has one JSON object per line."));
  const [fault] = faults;
  if (fault === undefined)
    return new TextDocument(text, "json", { root: listOf(text, items), duplicateKeys });
  if (!isCutOff || faults.length > 1 || items.length === 0) return new TextDocument(text, "json", { faults });
  const message = "The last line is cut off; only the lines before it are checked.";
  return new TextDocument(text, "json", {
    root: listOf(text, items),
    faults: [{ ...fault, message }],
    duplicateKeys,
  });
}

/** Whether an object is written as people like to read it, and not on one line. */
function isSpread(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === "{" && /^\s*"/u.test(text.slice(end, end + 1000));
}

/** Whether the text ends where it is wrong. Half an escape is wrong from its beginning on. */
function lacksOnlyMore(text: string, { fault: { start, end }, isSyntax }: Refusal): boolean {
  return isSyntax && (end >= text.length || /^\\u[\da-f]{0,3}$/iu.test(text.slice(start, start + 7)));
}

function requireObject(node: Node): MappingNode {
  if (node.kind === "mapping") return node;
  const span = node.kind === "sequence" ? node.head : node;
  throw Refusal.ofBrokenText(span, "Each line of a record is a JSON object; this one is not.");
}

function listOf(text: string, items: readonly Node[]): SequenceNode {
  const root = new SequenceNode(0, text.length, items, { start: 0, end: 0 });
  for (const [index, item] of items.entries()) {
    item.parent = root;
    item.key = index;
  }
  return root;
}

/** The lines that hold something, as offsets; a line ends at LF, CRLF or a lone CR, as `LineMap` counts. */
function* linesOf(text: string): Iterable<Span> {
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    if (line.trim() !== "") yield { start: index, end: index + line.length };
  }
}
