import type { TextEdit } from "../diagnostic.js";
import type { Document } from "./document.js";
import { lowerBound, skipLineBreak, startOf } from "./line-map.js";
import { type Entry, hasDuplicateKeys, type MappingNode, type Node, type Span } from "./node.js";
import { isWrittenInPlace } from "./pointers.js";
import { commentsBetween, endOfLine, skipWhitespace } from "./scan-text.js";

/**
 * Text edits that keep comments, order, quoting and indentation. Undefined if the file is written in a way that the author
 * has to change by hand.
 */
export type Edits = readonly TextEdit[] | undefined;

/** Whether a change here would also change places that repeat this text. */
export function isAliased(document: Document, { start, end }: Span): boolean {
  if (document.aliases.targets.size === 0) return false;
  const spans = outermostAliasedSpans(document);
  const before = spans[lowerBound(spans, start + 1, startOf) - 1];
  return before !== undefined && before.end >= end;
}

/** Whether aliases repeat something inside this span, so that it cannot be removed. */
export function containsAliased(document: Document, { start, end }: Span): boolean {
  if (document.aliases.targets.size === 0) return false;
  const spans = outermostAliasedSpans(document);
  const next = spans[lowerBound(spans, start, startOf)];
  return next !== undefined && next.start < end;
}

export function isAlias({ text, format }: Document, node: Node): boolean {
  return format === "yaml" && text.charAt(node.start) === "*";
}

/** Whether a mapping has exactly the entries that are written in it, each once. */
export function isEditable(document: Document, mapping: MappingNode): boolean {
  return (
    !isAlias(document, mapping) &&
    isWrittenInPlace(mapping) &&
    !document.aliases.mergingMappings.has(mapping) &&
    !hasDuplicateKeys(mapping)
  );
}

export function isFlow({ text, format }: Document, mapping: MappingNode): boolean {
  return format === "json" || text.charAt(mapping.start) === "{";
}

export function lineStart({ lines }: Document, offset: number): number {
  return offset - lines.position(offset).column + 1;
}

export function linePrefix(document: Document, offset: number): string {
  return document.text.slice(lineStart(document, offset), offset);
}

export function indentAt(document: Document, offset: number): string {
  return /^[ \t]*/.exec(linePrefix(document, offset))?.[0] ?? "";
}

/** The line break before the line of an offset; "\n" on the first line. */
export function lineBreakBefore(document: Document, offset: number): string {
  const start = lineStart(document, offset);
  if (start === 0) return "\n";
  return document.text.slice(start - 2, start) === "\r\n" ? "\r\n" : document.text.charAt(start - 1);
}

/** The rest of a line that has at most a comment: `end` is before its line break, `next` after it. */
export function restOfLine(
  text: string,
  at: number,
): { comment: Span | undefined; end: number; next: number } | undefined {
  let end = at;
  while (text.charAt(end) === " " || text.charAt(end) === "\t") end++;
  const comment =
    text.charAt(end) === "#" && end > at ? { start: end, end: endOfLine(text, end) } : undefined;
  end = comment?.end ?? end;
  const next = skipLineBreak(text, end);
  return next === end && end < text.length ? undefined : { comment, end, next };
}

/** The comments inside an entry; undefined if they cannot be distinguished from text. */
export function commentsInside(document: Document, { key, value }: Entry): readonly Span[] | undefined {
  const { text, format, aliases, duplicateKeys } = document;
  if (format === "json" || !text.slice(key.start, value.end).includes("#")) return [];
  if (aliases.mergingMappings.size > 0 || duplicateKeys.length > 0) return undefined;
  const spans = [...textSpans(document, { key, value }), { start: value.end, end: value.end }];
  const comments: Span[] = [];
  let at = key.end;
  for (const span of spans) {
    for (const comment of commentsBetween(text, at, span.start)) comments.push(comment);
    at = Math.max(at, span.end);
  }
  return comments;
}

function textSpans(document: Document, entry: Entry): readonly Span[] {
  const spans: Span[] = [];
  const open: Node[] = [entry.value];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "scalar" || isAlias(document, node)) spans.push(node);
    else if (node.kind === "sequence") for (const item of node.items) open.push(item);
    else {
      for (const { key, value } of node.entries) {
        spans.push(key);
        open.push(value);
      }
    }
  }
  return spans.sort((a, b) => a.start - b.start || a.end - b.end);
}

const aliasedSpansCache = new WeakMap<Document, readonly Span[]>();

/** The repeated values that are not inside others, in text order. */
function outermostAliasedSpans(document: Document): readonly Span[] {
  const known = aliasedSpansCache.get(document);
  if (known !== undefined) return known;
  const spans: Span[] = [];
  const all = [...document.aliases.targets].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const span of all) if (span.end > (spans.at(-1)?.end ?? -1)) spans.push(span);
  aliasedSpansCache.set(document, spans);
  return spans;
}

export function commaAfter(text: string, at: number): number | undefined {
  const next = skipWhitespace(text, at);
  return text.charAt(next) === "," ? next : undefined;
}
