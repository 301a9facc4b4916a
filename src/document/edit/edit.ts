import { addToFlow } from "./add-to-flow.js";
import type { Document } from "../document.js";
import { addToBlock, removeFromBlock } from "./edit-block.js";
import {
  lineBreakBefore,
  type Edits,
  containsAliased,
  isAlias,
  isFlow,
  isEditable,
  isAliased,
  lineStart,
  restOfLine,
} from "./edit-ground.js";
import type { NewEntry } from "./new-entry.js";
import type { Entry, Key, MappingNode, ScalarNode, Span } from "../node.js";
import { removeFromFlow } from "./remove-from-flow.js";
import { quoteStyleAt, formatScalar } from "./spell-scalar.js";

/** What an alias repeats is changed where it is written, and so in every place: a fix has to be meant for each. */
export function addEntries(document: Document, mapping: MappingNode, entries: readonly NewEntry[]): Edits {
  const written = mapping.origin ?? mapping;
  if (!isEditable(document, written)) return undefined;
  if (entries.some(({ name }) => written.entry(name) !== undefined)) return undefined;
  return (isFlow(document, written) ? addToFlow : addToBlock)(document, written, entries);
}

export function removeEntry(document: Document, mapping: MappingNode, name: string): Edits {
  const entry = mapping.entry(name);
  if (entry === undefined || !isEditable(document, mapping)) return undefined;
  if (isAliased(document, entry.key) || containsAliased(document, spanOfEntry(entry))) return undefined;
  return (isFlow(document, mapping) ? removeFromFlow : removeFromBlock)(document, mapping, entry);
}

/** Another text in place of a string, in the same quotes if it can be; of an alias, in place of what it repeats. */
export function replaceText(document: Document, scalar: ScalarNode, text: string): Edits {
  return rewriteScalar(document, scalar.origin ?? scalar, text);
}

export function renameKey(document: Document, key: Key, name: string): Edits {
  const mapping = key.value?.parent;
  if (mapping?.kind !== "mapping" || !isEditable(document, mapping) || mapping.entry(name) !== undefined)
    return undefined;
  return isAliased(document, key) ? undefined : rewriteScalar(document, key, name);
}

const singleWord = /^[\w.-]+$/;
const wordSequence = /^[\w.-]+(?:(?: |: ?)[\w.-]+)*$/;

/** A word in place of one or more inside a string: all spelled the same in any quotes. */
export function replaceWord(document: Document, scalar: ScalarNode, part: Span, text: string): Edits {
  const place = document.placeWithin(scalar, part.start, part.end);
  const old = document.text.slice(place.start, place.end);
  if (typeof scalar.value !== "string" || old !== scalar.value.slice(part.start, part.end)) return undefined;
  if (!wordSequence.test(old) || !singleWord.test(text)) return undefined;
  if (isAlias(document, scalar) || isAliased(document, place)) return undefined;
  return [{ start: place.start, end: place.end, text }];
}

/** Takes out a comment, and its line where there is nothing else on it. */
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

function spanOfEntry({ key, value }: Entry): Span {
  return { start: key.start, end: value.end };
}
