import type { TextEdit } from "../diagnostic.js";
import { isNodeDirective } from "../text/directive-names.js";
import type { Document } from "./document.js";
import {
  commaAfter,
  commentsInside,
  containsAliased,
  type Edits,
  indentAt,
  isAlias,
  isAliased,
  isEditable,
  isFlow,
  lineBreakBefore,
  linePrefix,
  lineStart,
  restOfLine,
} from "./edit-context.js";
import {
  bracedText,
  formatScalar,
  type InlineStyle,
  inlineText,
  jsonLines,
  type NewEntry,
  quoteStyleAt,
  yamlBlockLines,
} from "./new-entry.js";
import { type Entry, Key, type MappingNode, type Node, type ScalarNode, type Span } from "./node.js";
import { skipSpaceAndComments, skipWhitespace } from "./scan-text.js";

/** Changes an aliased mapping where it is written, and so in every place that repeats it. */
export function addEntries(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const written = mapping.origin ?? mapping;
  if (!isEditable(document, written)) return undefined;
  if (entries.some(({ name }) => written.entry(name) !== undefined)) return undefined;
  return (isFlow(document, written) ? addToFlow : addToBlock)(document, written, entries);
}

export function removeEntry(document: Document, mapping: MappingNode, name: string): Edits {
  const entry = mapping.entry(name);
  if (entry === undefined || !isEditable(document, mapping)) return undefined;
  const span = { start: entry.key.start, end: entry.value.end };
  if (isAliased(document, entry.key) || containsAliased(document, span)) return undefined;
  return (isFlow(document, mapping) ? removeFromFlow : removeFromBlock)(document, mapping, entry);
}

/** Keeps the quotes of the string if possible; for an alias, changes the anchored string. */
export function replaceText(document: Document, scalar: ScalarNode, text: string): Edits {
  return rewriteScalar(document, scalar.origin ?? scalar, text);
}

export function renameKey(document: Document, key: Key, name: string): Edits {
  const mapping = key.value?.parent;
  if (mapping?.kind !== "mapping" || !isEditable(document, mapping) || mapping.entry(name) !== undefined)
    return undefined;
  return isAliased(document, key) ? undefined : rewriteScalar(document, key, name);
}

/** Replaces words in a string by a single one; none of them needs escapes in any quotes. */
export function replaceWord(document: Document, scalar: ScalarNode, part: Span, text: string): Edits {
  const place = document.placeWithin(scalar, part.start, part.end);
  const old = document.text.slice(place.start, place.end);
  if (typeof scalar.value !== "string" || old !== scalar.value.slice(part.start, part.end)) return undefined;
  if (!/^[\w.-]+(?:(?: |: ?)[\w.-]+)*$/.test(old) || !/^[\w.-]+$/.test(text)) return undefined;
  if (isAlias(document, scalar) || isAliased(document, place)) return undefined;
  return [{ start: place.start, end: place.end, text }];
}

/** Removes a comment, and its line if nothing else is on it. */
export function removeComment(document: Document, comment: Span): Edits {
  const { text } = document;
  const start = lineStart(document, comment.start);
  const before = text.slice(start, comment.start);
  if (before.trim() !== "") return [{ start: start + before.trimEnd().length, end: comment.end, text: "" }];
  const next = restOfLine(text, comment.end)?.next ?? comment.end;
  if (next > comment.end || start === 0) return [{ start, end: next, text: "" }];
  return [{ start: start - lineBreakBefore(document, start).length, end: comment.end, text: "" }];
}

function rewriteScalar(document: Document, { start, end }: Span, text: string): Edits {
  const quoting = document.format === "json" ? "json" : quoteStyleAt(document.text.charAt(start));
  return quoting === undefined || start === end
    ? undefined
    : [{ start, end, text: formatScalar(text, quoting) }];
}

function addToBlock(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const { text } = document;
  const first = mapping.entries[0];
  const last = mapping.entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const prefix = linePrefix(document, first.key.start);
  // Anything but dashes before a key is too rare to support.
  if (!/^ *(?:- +)*$/.test(prefix)) return undefined;
  const lines = yamlBlockLines(
    entries,
    " ".repeat(prefix.length),
    blockIndentUnit(document, mapping, prefix.length),
  );
  const kept = endOfKeepBlock(document, last.value);
  if (kept !== undefined) {
    const lineBreak = lineBreakBefore(document, kept);
    if (lineStart(document, kept) !== kept) return undefined;
    return [{ start: kept, end: kept, text: lines.map((line) => line + lineBreak).join("") }];
  }
  const rest = restOfLine(text, last.value.end);
  if (rest === undefined) return undefined;
  const lineBreak =
    rest.next > rest.end ? text.slice(rest.end, rest.next) : lineBreakBefore(document, rest.end);
  return [{ start: rest.end, end: rest.end, text: lines.map((line) => lineBreak + line).join("") }];
}

/** Keeps the comments of the entry, each on its own line, except for directives about it. */
function removeFromBlock(document: Document, mapping: MappingNode, entry: Entry): Edits {
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

function blockIndentUnit(document: Document, mapping: MappingNode, column: number): string {
  const above = mapping.key instanceof Key ? indentAt(document, mapping.key.start).length : column;
  return " ".repeat(column > above ? column - above : 2);
}

/** The end of the block scalar that ends a value, if its header keeps trailing blank lines. */
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

function addToFlow(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
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

/** Adds the first entries of a mapping: on their own lines in JSON, if its own key starts a line. */
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

function startsLine(document: Document, mapping: MappingNode, key: Key): boolean {
  return lineStart(document, key.start) > mapping.start && linePrefix(document, key.start).trim() === "";
}

/** The indentation of the entries of a mapping relative to its closing brace. */
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

/** Removes an entry and a comma. */
function removeFromFlow(document: Document, mapping: MappingNode, entry: Entry): Edits {
  const { text } = document;
  const { key, value } = entry;
  const index = mapping.entries.indexOf(entry);
  const before = mapping.entries[index - 1];
  const isLast = index === mapping.entries.length - 1;
  // Anything else before a key is too rare to support.
  if (index < 0 || skipSpaceAndComments(text, before?.value.end ?? mapping.start + 1, ",") !== key.start)
    return undefined;
  if (commentsInside(document, entry)?.length !== 0) return undefined;
  const comma = commaAfter(text, value.end);
  if (isLast && before === undefined) {
    const after = comma === undefined ? value.end : comma + 1;
    const isCommented =
      skipWhitespace(text, mapping.start + 1) !== key.start ||
      skipWhitespace(text, after) !== mapping.end - 1;
    return isCommented ? undefined : deletion(mapping.start + 1, mapping.end - 1);
  }
  if (comma !== undefined) return deleteEntryLine(document, entry, comma + 1);
  const commaBefore = before === undefined ? undefined : commaAfter(text, before.value.end);
  if (!isLast || commaBefore === undefined) return undefined;
  const isAlone =
    skipWhitespace(text, commaBefore + 1) === key.start && restOfLine(text, value.end)?.comment === undefined;
  if (isAlone) return deletion(commaBefore, value.end);
  return [...deletion(commaBefore, commaBefore + 1), ...deleteEntryLine(document, entry, value.end)];
}

/** Removes an entry that ends at `end`, with its line if nothing else is on it. */
function deleteEntryLine(document: Document, { key }: Entry, end: number): readonly TextEdit[] {
  const { text } = document;
  const before = linePrefix(document, key.start);
  const rest = restOfLine(text, end);
  if (rest?.comment !== undefined) return deletion(key.start, rest.comment.start);
  if (rest === undefined)
    return deletion(key.start, end + (/^[ \t]*/.exec(text.slice(end, end + 100))?.[0].length ?? 0));
  if (before.trim() === "") return deletion(lineStart(document, key.start), rest.next);
  return before.trimEnd().endsWith(",")
    ? deletion(key.start - (before.length - before.trimEnd().length), end)
    : deletion(key.start, skipWhitespace(text, end));
}

function deletion(start: number, end: number): readonly TextEdit[] {
  return [{ start, end, text: "" }];
}
