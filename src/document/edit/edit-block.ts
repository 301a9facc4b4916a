import { isNodeDirective } from "../../words/directives.js";
import type { Document } from "../document.js";
import {
  lineBreakBefore,
  commentsInside,
  type Edits,
  indentAt,
  isAlias,
  lineStart,
  linePrefix,
  restOfLine,
} from "./edit-ground.js";
import { yamlBlockLines, type NewEntry } from "./new-entry.js";
import { Key, type Entry, type MappingNode, type Node } from "../node.js";

/** Writes entries below the last one of a YAML block. */
export function addToBlock(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const { text } = document;
  const first = mapping.entries[0];
  const last = mapping.entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const prefix = linePrefix(document, first.key.start);
  // A key behind anything but dashes is written in one of the rarer ways.
  if (!/^ *(?:- +)*$/.test(prefix)) return undefined;
  const lines = yamlBlockLines(entries, " ".repeat(prefix.length), blockIndentUnit(document, mapping, prefix.length));
  const kept = endOfKeepBlock(document, last.value);
  if (kept !== undefined) {
    const lineBreak = lineBreakBefore(document, kept);
    if (lineStart(document, kept) !== kept) return undefined;
    return [{ start: kept, end: kept, text: lines.map((line) => line + lineBreak).join("") }];
  }
  const rest = restOfLine(text, last.value.end);
  if (rest === undefined) return undefined;
  const lineBreak = rest.next > rest.end ? text.slice(rest.end, rest.next) : lineBreakBefore(document, rest.end);
  return [{ start: rest.end, end: rest.end, text: lines.map((line) => lineBreak + line).join("") }];
}

/** Takes the lines of an entry out of a YAML block. Comments in them stay, each on a line of its own, but for those of a place. */
export function removeFromBlock(document: Document, mapping: MappingNode, entry: Entry): Edits {
  const { text } = document;
  const { key, value } = entry;
  const indent = linePrefix(document, key.start);
  const rest = restOfLine(text, value.end);
  const inside = commentsInside(document, entry);
  if (!/^ *$/.test(indent) || rest === undefined || inside === undefined) return undefined;
  if (mapping.entries.length === 1) {
    return inside.length > 0 ? undefined : [{ start: key.start, end: value.end, text: "{}" }];
  }
  const comments = [...inside, ...(rest.comment === undefined ? [] : [rest.comment])].filter(
    (comment) => !isNodeDirective(text.slice(comment.start, comment.end)),
  );
  const start = lineStart(document, key.start);
  if (comments.length > 0) {
    const lineBreak = lineBreakBefore(document, comments.length > 1 ? rest.end : key.start);
    const lines = comments.map((comment) => indent + text.slice(comment.start, comment.end));
    return [{ start, end: rest.end, text: lines.join(lineBreak) }];
  }
  if (rest.next > rest.end) return [{ start, end: rest.next, text: "" }];
  return [{ start: start - lineBreakBefore(document, start).length, end: rest.end, text: "" }];
}

/** By how many columns the file indents what is in a mapping. */
function blockIndentUnit(document: Document, mapping: MappingNode, column: number): string {
  const above = mapping.key instanceof Key ? indentAt(document, mapping.key.start).length : column;
  return " ".repeat(column > above ? column - above : 2);
}

/** The end of a block of text that keeps the empty lines below it, where a value ends in one. */
function endOfKeepBlock(document: Document, value: Node): number | undefined {
  let node: Node | undefined = value;
  while (node !== undefined && node.kind !== "scalar") {
    if (isAlias(document, node)) return undefined;
    node = node.kind === "mapping" ? node.entries.at(-1)?.value : node.items.at(-1);
  }
  if (node === undefined || (node.source.style !== "literal" && node.source.style !== "folded"))
    return undefined;
  if (isAlias(document, node)) return undefined;
  return /^[|>]\d?\+/.test(document.text.slice(node.start, node.start + 3)) ? node.source.end : undefined;
}
