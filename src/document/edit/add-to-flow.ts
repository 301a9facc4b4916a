import type { TextEdit } from "../../diagnostic.js";
import type { Document } from "../document.js";
import {
  lineBreakBefore,
  commaAfter,
  type Edits,
  indentAt,
  lineStart,
  linePrefix,
  restOfLine,
  skipWhitespace,
} from "./edit-ground.js";
import { bracedText, inlineText, jsonLines, type InlineStyle, type NewEntry } from "./new-entry.js";
import { Key, type MappingNode } from "../node.js";

/** Writes entries behind the last one between the braces of JSON or of a YAML flow mapping. */
export function addToFlow(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const last = mapping.entries.at(-1);
  if (last === undefined) return fillBraces(document, mapping, entries);
  const { text } = document;
  const style = inlineStyleOf(document, mapping);
  const comma = commaAfter(text, last.value.end);
  const end = comma === undefined ? last.value.end : comma + 1;
  if (!startsLine(document, mapping, last.key)) {
    const added = inlineText(entries, style);
    return [insertion(end, comma === undefined ? style.comma + added : ` ${added},`)];
  }
  const indent = linePrefix(document, last.key.start);
  const lines = style.isJson
    ? jsonLines(entries, indent, flowIndentUnit(document, indent, mapping))
    : entries.map(
        (entry, index) => `${indent}${inlineText([entry], style)}${index < entries.length - 1 ? "," : ""}`,
      );
  const lineBreak = lineBreakBefore(document, last.key.start);
  const added = lines.map((line) => lineBreak + line).join("") + (comma === undefined ? "" : ",");
  const comment = restOfLine(text, end)?.comment;
  if (comment === undefined) return [insertion(end, comma === undefined ? `,${added}` : added)];
  return [...(comma === undefined ? [insertion(end, ",")] : []), insertion(comment.end, added)];
}

/** The first entries of an empty mapping: on lines of their own in JSON where its neighbours have them. */
function fillBraces(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const { text, format } = document;
  const { start, end, key, parent } = mapping;
  if (skipWhitespace(text, start + 1) !== end - 1) return undefined;
  if (
    format !== "json" ||
    !(key instanceof Key) ||
    parent?.kind !== "mapping" ||
    !startsLine(document, parent, key)
  ) {
    return [{ start, end, text: bracedText(entries, inlineStyleOf(document, mapping)) }];
  }
  const indent = linePrefix(document, key.start);
  const unit = flowIndentUnit(document, indent, parent);
  const lines = ["{", ...jsonLines(entries, indent + unit, unit), `${indent}}`];
  return [{ start, end, text: lines.join(lineBreakBefore(document, key.start)) }];
}

/** Whether a key of the mapping is the first thing on its line. */
function startsLine(document: Document, mapping: MappingNode, key: Key): boolean {
  return lineStart(document, key.start) > mapping.start && linePrefix(document, key.start).trim() === "";
}

/** By how much the entries of a mapping are indented more than its closing brace. */
function flowIndentUnit(document: Document, indent: string, mapping: MappingNode): string {
  const outer = indentAt(document, mapping.end - 1);
  return indent.startsWith(outer) && indent !== outer ? indent.slice(outer.length) : "  ";
}

function inlineStyleOf({ text, format }: Document, mapping: MappingNode): InlineStyle {
  const isJson = format === "json";
  const first = mapping.entries[0];
  const key = first?.key ?? (mapping.key instanceof Key ? mapping.key : undefined);
  const value = first?.value ?? mapping;
  const isTight = isJson && key !== undefined && text.slice(key.end, value.start) === ":";
  const isPadded = first === undefined ? !isJson : /\s/.test(text.charAt(mapping.start + 1));
  return {
    isJson,
    colon: isTight ? ":" : ": ",
    comma: isTight ? "," : ", ",
    padding: isPadded ? " " : "",
  };
}

function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}
