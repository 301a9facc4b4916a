import type { TextEdit } from "../../diagnostic.js";
import type { Document } from "../document.js";
import {
  commaAfter,
  commentsInside,
  type Edits,
  lineStart,
  linePrefix,
  restOfLine,
  skipWhitespace,
} from "./edit-ground.js";
import type { Entry, MappingNode } from "../node.js";
import { skipSpaceAndComments } from "../scan-text.js";

/** Takes an entry and a comma out of the braces of JSON or of a YAML flow mapping. */
export function removeFromFlow(document: Document, mapping: MappingNode, entry: Entry): Edits {
  const { text } = document;
  const { key, value } = entry;
  const index = mapping.entries.indexOf(entry);
  const before = mapping.entries[index - 1];
  const isLast = index === mapping.entries.length - 1;
  // Whatever else stands before a key is one of the rarer ways to write it.
  if (index < 0 || skipSpaceAndComments(text, before?.value.end ?? mapping.start + 1, ",") !== key.start)
    return undefined;
  if (commentsInside(document, entry)?.length !== 0) return undefined;
  const comma = commaAfter(text, value.end);
  if (isLast && before === undefined) return removeOnlyEntry(text, mapping, entry, comma);
  if (comma !== undefined) return deleteEntryLine(document, entry, comma + 1);
  const commaBefore = before === undefined ? undefined : commaAfter(text, before.value.end);
  if (!isLast || commaBefore === undefined) return undefined;
  const isAlone =
    skipWhitespace(text, commaBefore + 1) === key.start && restOfLine(text, value.end)?.comment === undefined;
  if (isAlone) return deletion(commaBefore, value.end);
  return [...deletion(commaBefore, commaBefore + 1), ...deleteEntryLine(document, entry, value.end)];
}

function removeOnlyEntry(
  text: string,
  { start, end }: MappingNode,
  { key, value }: Entry,
  comma: number | undefined,
): Edits {
  const after = comma === undefined ? value.end : comma + 1;
  const holdsComment = skipWhitespace(text, start + 1) !== key.start || skipWhitespace(text, after) !== end - 1;
  return holdsComment ? undefined : deletion(start + 1, end - 1);
}

/** Cuts an entry that ends at `end`, with its line when there is nothing else on it. */
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
