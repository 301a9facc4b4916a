import type { TextEdit } from "../diagnostic.js";
import type { Document } from "./document.js";
import {
  commentsBetween,
  endOfLine,
  lowerBound,
  skipLineBreak,
  skipSpaceAndComments,
  skipWhitespace,
  startOf,
} from "./scan-text.js";
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
import {
  childrenOf,
  type Entry,
  hasDuplicateKeys,
  Key,
  type MappingNode,
  type Node,
  type ScalarNode,
  type Span,
} from "./node.js";
import { isWrittenInPlace } from "./pointers.js";
import { cached } from "../text/collections.js";

/**
 * Text edits that keep comments, order, quoting and indentation. Undefined if the file is written in a way that the author
 * has to change by hand.
 */
export type Edits = readonly TextEdit[] | undefined;

function edit(start: number, end: number, text = ""): readonly TextEdit[] {
  return [{ start, end, text }];
}

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

/** Puts another entry in the place of one that has no comments inside. */
export function replaceEntry(document: Document, mapping: MappingNode, name: string, entry: NewEntry): Edits {
  const old = mapping.entry(name);
  if (old === undefined || !isEditable(document, mapping) || commentsInside(document, old)?.length !== 0)
    return undefined;
  const span = { start: old.key.start, end: old.value.end };
  if (isAliased(document, old.key) || containsAliased(document, span)) return undefined;
  return edit(span.start, span.end, inlineText([entry], inlineStyleOf(document, mapping)));
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
  return edit(place.start, place.end, text);
}

/** Removes a comment, and its line if nothing else is on it. */
export function removeComment(document: Document, comment: Span): Edits {
  const { text } = document;
  const start = document.lines.startOfLine(comment.start);
  const before = text.slice(start, comment.start);
  if (before.trim() !== "") return edit(start + before.trimEnd().length, comment.end);
  const next = restOfLine(text, comment.end)?.next ?? comment.end;
  if (next > comment.end || start === 0) return edit(start, next);
  return edit(start - lineBreakBefore(document, start).length, comment.end);
}

function rewriteScalar(document: Document, { start, end }: Span, text: string): Edits {
  const quoting = isJsonAt(document, start) ? "json" : quoteStyleAt(document.text.charAt(start));
  if (quoting === undefined || start === end) return undefined;
  return edit(start, end, formatScalar(text, quoting));
}

function addToBlock(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const { text } = document;
  const first = mapping.entries[0];
  const last = mapping.entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const prefix = document.lines.prefix(first.key.start);
  // Anything but dashes before a key is too rare to support.
  if (!/^ *(?:- +)*$/.test(prefix)) return undefined;
  const column = prefix.length;
  const above = mapping.key instanceof Key ? indentAt(document, mapping.key.start).length : column;
  const unit = " ".repeat(column > above ? column - above : 2);
  const lines = yamlBlockLines(entries, " ".repeat(column), unit);
  const kept = endOfKeepBlock(document, last.value);
  if (kept !== undefined) {
    const lineBreak = lineBreakBefore(document, kept);
    if (document.lines.startOfLine(kept) !== kept) return undefined;
    return edit(kept, kept, lines.map((line) => line + lineBreak).join(""));
  }
  const rest = restOfLine(text, last.value.end);
  if (rest === undefined) return undefined;
  const lineBreak =
    rest.next > rest.end ? text.slice(rest.end, rest.next) : lineBreakBefore(document, rest.end);
  return edit(rest.end, rest.end, lines.map((line) => lineBreak + line).join(""));
}

/** A comment that applies to its own line or the next: moved, it would suppress something else. */
const nodeDirective = /^#+\s*promptpack-disable-(?:next-)?line(?=[\s,:]|$)/u;

/** Keeps the comments of the entry, each on its own line, except for directives about it. */
function removeFromBlock(document: Document, mapping: MappingNode, entry: Entry): Edits {
  const { text } = document;
  const { key, value } = entry;
  const indent = document.lines.prefix(key.start);
  const rest = restOfLine(text, value.end);
  const inside = commentsInside(document, entry);
  if (!/^ *$/.test(indent) || rest === undefined || inside === undefined) return undefined;
  if (mapping.entries.length === 1) return inside.length > 0 ? undefined : edit(key.start, value.end, "{}");
  const comments = [...inside, ...(rest.comment === undefined ? [] : [rest.comment])].filter(
    (comment) => !nodeDirective.test(text.slice(comment.start, comment.end)),
  );
  const start = document.lines.startOfLine(key.start);
  if (comments.length > 0) {
    const lineBreak = lineBreakBefore(document, comments.length > 1 ? rest.end : key.start);
    const lines = comments.map((comment) => indent + text.slice(comment.start, comment.end));
    return edit(start, rest.end, lines.join(lineBreak));
  }
  if (rest.next > rest.end) return edit(start, rest.next);
  return edit(start - lineBreakBefore(document, start).length, rest.end);
}

/** The end of the block scalar that ends a value, if its header keeps trailing blank lines. */
function endOfKeepBlock(document: Document, value: Node): number | undefined {
  let node: Node | undefined = value;
  while (node !== undefined && node.kind !== "scalar") {
    if (isAlias(document, node)) return undefined;
    node = node.kind === "mapping" ? node.entries.at(-1)?.value : node.items.at(-1);
  }
  if (node === undefined) return undefined;
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
    return edit(end, end, comma === undefined ? style.comma + added : ` ${added},`);
  }
  const indent = document.lines.prefix(last.key.start);
  const lines = style.isJson
    ? jsonLines(entries, indent, flowIndentUnit(document, indent, mapping))
    : entries.map(
        (entry, index) => `${indent}${inlineText([entry], style)}${index < entries.length - 1 ? "," : ""}`,
      );
  const lineBreak = lineBreakBefore(document, last.key.start);
  const added = lines.map((line) => lineBreak + line).join("") + (comma === undefined ? "" : ",");
  const comment = restOfLine(text, end)?.comment;
  if (comment === undefined) return edit(end, end, comma === undefined ? `,${added}` : added);
  return [...(comma === undefined ? edit(end, end, ",") : []), ...edit(comment.end, comment.end, added)];
}

/** Adds the first entries of a mapping: on their own lines in JSON, if its own key starts a line. */
function fillBraces(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const { text } = document;
  const { start, end, key, parent } = mapping;
  if (skipWhitespace(text, start + 1) !== end - 1) return undefined;
  const hasOwnLine =
    isJsonAt(document, start) &&
    key instanceof Key &&
    parent?.kind === "mapping" &&
    startsLine(document, parent, key);
  if (!hasOwnLine) return edit(start, end, bracedText(entries, inlineStyleOf(document, mapping)));
  const indent = document.lines.prefix(key.start);
  const unit = flowIndentUnit(document, indent, parent);
  const lines = ["{", ...jsonLines(entries, indent + unit, unit), `${indent}}`];
  return edit(start, end, lines.join(lineBreakBefore(document, key.start)));
}

function startsLine({ lines }: Document, mapping: MappingNode, key: Key): boolean {
  return lines.startOfLine(key.start) > mapping.start && lines.prefix(key.start).trim() === "";
}

/** The indentation of the entries of a mapping relative to its closing brace. */
function flowIndentUnit(document: Document, indent: string, mapping: MappingNode): string {
  const outer = indentAt(document, mapping.end - 1);
  return indent.startsWith(outer) && indent !== outer ? indent.slice(outer.length) : "  ";
}

function inlineStyleOf(document: Document, mapping: MappingNode): InlineStyle {
  const { text } = document;
  const isJson = isJsonAt(document, mapping.start);
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
    return isCommented ? undefined : edit(mapping.start + 1, mapping.end - 1);
  }
  if (comma !== undefined) return deleteEntryLine(document, entry, comma + 1);
  const commaBefore = before === undefined ? undefined : commaAfter(text, before.value.end);
  if (!isLast || commaBefore === undefined) return undefined;
  const isAlone =
    skipWhitespace(text, commaBefore + 1) === key.start && restOfLine(text, value.end)?.comment === undefined;
  if (isAlone) return edit(commaBefore, value.end);
  return [...edit(commaBefore, commaBefore + 1), ...deleteEntryLine(document, entry, value.end)];
}

/** Removes an entry that ends at `end`, with its line if nothing else is on it. */
function deleteEntryLine(document: Document, { key }: Entry, end: number): readonly TextEdit[] {
  const { text } = document;
  const before = document.lines.prefix(key.start);
  const rest = restOfLine(text, end);
  if (rest?.comment !== undefined) return edit(key.start, rest.comment.start);
  if (rest === undefined)
    return edit(key.start, end + (/^[ \t]*/.exec(text.slice(end, end + 100))?.[0].length ?? 0));
  if (before.trim() === "") return edit(document.lines.startOfLine(key.start), rest.next);
  return before.trimEnd().endsWith(",")
    ? edit(key.start - (before.length - before.trimEnd().length), end)
    : edit(key.start, skipWhitespace(text, end));
}

/** Whether a change here would also change places that repeat this text. */
function isAliased(document: Document, { start, end }: Span): boolean {
  const spans = outermostAliasedSpans(document);
  const before = spans[lowerBound(spans, start + 1, startOf) - 1];
  return before !== undefined && before.end >= end;
}

/** Whether aliases repeat something inside this span, so that it cannot be removed. */
function containsAliased(document: Document, { start, end }: Span): boolean {
  const spans = outermostAliasedSpans(document);
  const next = spans[lowerBound(spans, start, startOf)];
  return next !== undefined && next.start < end;
}

function isAlias(document: Document, { start }: Node): boolean {
  return !isJsonAt(document, start) && document.text.charAt(start) === "*";
}

function isJsonAt({ format, formatAt }: Document, offset: number): boolean {
  return (formatAt?.(offset) ?? format) === "json";
}

/** Whether a mapping has exactly the entries that are written in it, each once. */
function isEditable(document: Document, mapping: MappingNode): boolean {
  return (
    !isAlias(document, mapping) &&
    isWrittenInPlace(mapping) &&
    !document.aliases.mergingMappings.has(mapping) &&
    !hasDuplicateKeys(mapping)
  );
}

function isFlow(document: Document, { start }: MappingNode): boolean {
  return isJsonAt(document, start) || document.text.charAt(start) === "{";
}

function indentAt(document: Document, offset: number): string {
  return /^[ \t]*/.exec(document.lines.prefix(offset))?.[0] ?? "";
}

/** The line break before the line of an offset; "\n" on the first line. */
function lineBreakBefore(document: Document, offset: number): string {
  const start = document.lines.startOfLine(offset);
  if (start === 0) return "\n";
  return document.text.slice(start - 2, start) === "\r\n" ? "\r\n" : document.text.charAt(start - 1);
}

/** The rest of a line that has at most a comment: `end` is before its line break, `next` after it. */
function restOfLine(text: string, at: number) {
  let start = at;
  while (text.charAt(start) === " " || text.charAt(start) === "\t") start++;
  const comment =
    text.charAt(start) === "#" && start > at ? { start, end: endOfLine(text, start) } : undefined;
  const end = comment?.end ?? start;
  const next = skipLineBreak(text, end);
  return next === end && end < text.length ? undefined : { comment, end, next };
}

/** The comments inside an entry; undefined if they cannot be distinguished from text. */
function commentsInside(document: Document, { key, value }: Entry): readonly Span[] | undefined {
  const { text, aliases, duplicateKeys } = document;
  if (isJsonAt(document, key.start) || !text.slice(key.start, value.end).includes("#")) return [];
  if (aliases.mergingMappings.size > 0 || duplicateKeys.length > 0) return undefined;
  let at = key.end;
  return [...textSpans(document, value), { start: value.end, end: value.end }].flatMap((span) => {
    const from = at;
    at = Math.max(at, span.end);
    return [...commentsBetween(text, from, span.start)];
  });
}

/** The keys and scalars in a value, in text order. */
function textSpans(document: Document, value: Node): readonly Span[] {
  const spans: Span[] = [];
  const open = [value];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.key instanceof Key && node !== value) spans.push(node.key);
    if (node.kind === "scalar" || isAlias(document, node)) spans.push(node);
    else for (const child of childrenOf(node)) open.push(child);
  }
  return spans.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The repeated values that are not inside others, in text order. */
const outermostAliasedSpans = cached(({ aliases }: Document): readonly Span[] => {
  const spans: Span[] = [];
  const all = [...aliases.targets].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const span of all) if (span.end > (spans.at(-1)?.end ?? -1)) spans.push(span);
  return spans;
});

function commaAfter(text: string, at: number): number | undefined {
  const next = skipWhitespace(text, at);
  return text.charAt(next) === "," ? next : undefined;
}
