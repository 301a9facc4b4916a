import type { TextEdit } from "../../diagnostic.js";
import type { Document } from "../document.js";
import {
  commaAfter,
  commentsInside,
  type Edits,
  lineStart,
  prefixOf,
  restOfLine,
  skipBlank,
} from "./edit-ground.js";
import type { Entry, MappingNode } from "../node.js";
import { skipSpace } from "../scan-text.js";

/** Takes an entry and a comma out of the braces of JSON or of a YAML flow mapping. */
export function removeFromFlow(document: Document, mapping: MappingNode, entry: Entry): Edits {
  const { text } = document;
  const { key, value } = entry;
  const index = mapping.entries.indexOf(entry);
  const before = mapping.entries[index - 1];
  const isLast = index === mapping.entries.length - 1;
  // Whatever else stands before a key is one of the rarer ways to write it.
  if (index < 0 || skipSpace(text, before?.value.end ?? mapping.start + 1, ",") !== key.start)
    return undefined;
  if (commentsInside(document, entry)?.length !== 0) return undefined;
  const comma = commaAfter(text, value.end);
  if (isLast && before === undefined) return emptyBraces(text, mapping, entry, comma);
  if (comma !== undefined) return cutLine(document, entry, comma + 1);
  const commaBefore = before === undefined ? undefined : commaAfter(text, before.value.end);
  if (!isLast || commaBefore === undefined) return undefined;
  const isAlone =
    skipBlank(text, commaBefore + 1) === key.start && restOfLine(text, value.end)?.comment === undefined;
  if (isAlone) return cut(commaBefore, value.end);
  return [...cut(commaBefore, commaBefore + 1), ...cutLine(document, entry, value.end)];
}

function emptyBraces(
  text: string,
  { start, end }: MappingNode,
  { key, value }: Entry,
  comma: number | undefined,
): Edits {
  const after = comma === undefined ? value.end : comma + 1;
  const holdsComment = skipBlank(text, start + 1) !== key.start || skipBlank(text, after) !== end - 1;
  return holdsComment ? undefined : cut(start + 1, end - 1);
}

/** Cuts an entry that ends at `end`, with its line when there is nothing else on it. */
function cutLine(document: Document, { key }: Entry, end: number): readonly TextEdit[] {
  const { text } = document;
  const before = prefixOf(document, key.start);
  const rest = restOfLine(text, end);
  if (rest?.comment !== undefined) return cut(key.start, rest.comment.start);
  if (rest === undefined)
    return cut(key.start, end + (/^[ \t]*/.exec(text.slice(end, end + 100))?.[0].length ?? 0));
  if (before.trim() === "") return cut(lineStart(document, key.start), rest.next);
  return before.trimEnd().endsWith(",")
    ? cut(key.start - (before.length - before.trimEnd().length), end)
    : cut(key.start, skipBlank(text, end));
}

function cut(start: number, end: number): readonly TextEdit[] {
  return [{ start, end, text: "" }];
}
