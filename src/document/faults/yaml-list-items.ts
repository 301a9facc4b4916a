import { endOfLine } from "../scan-text.js";
import { indentOf, isBareKey, type Line, lineAt, previousLine, nextLine } from "../yaml/yaml-sections.js";

/** What to say where a line begins that is an item of a list among keys, or the other way round. */
export function describeMixedList(text: string, at: number): string | undefined {
  const line = lineAt(text, at);
  if (at > line.body) return undefined;
  let peer = previousSibling(text, line);
  if (peer === undefined) return undefined;
  if (isListItem(text, line)) return isAmongKeys(text, peer) ? itemAmongKeysMessage : undefined;
  // A list may be indented like its key; then what follows it is another key.
  while (peer !== undefined && isListItem(text, peer)) peer = previousSibling(text, peer);
  return peer === undefined ? lineAmongItemsMessage : undefined;
}

const itemAmongKeysMessage = 'A list item cannot stand among keys; remove "- ", or correct the indentation.';
const lineAmongItemsMessage =
  'This line stands among list items and has no "- "; add it, remove theirs, or correct the indentation.';

/** The nearest line before with the same indentation, and none with less between. */
export function previousSibling(text: string, line: Line): Line | undefined {
  let before = previousLine(text, line);
  while (before !== undefined && indentOf(before) > indentOf(line)) before = previousLine(text, before);
  return before !== undefined && indentOf(before) === indentOf(line) ? before : undefined;
}

export function isListItem(text: string, { body }: Line): boolean {
  return /^-(?:\s|$)/.test(text.slice(body, body + 2));
}

/** Not after a key that has a list or a block of text: of that, the item may be a part. */
function isAmongKeys(text: string, key: Line): boolean {
  const written = text.slice(key.body, endOfLine(text, key.body));
  if (isListItem(text, key) || !/:(?:\s|$)/.test(written) || /\s[|>][-+\d]*\s*$/.test(written)) return false;
  const below = nextLine(text, key.end, text.length);
  return !(isBareKey(text, key) && below !== undefined && isListItem(text, below));
}
