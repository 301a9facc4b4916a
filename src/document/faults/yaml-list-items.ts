import { endOfLine } from "../scan-text.js";
import { indentOf, isBareKey, type Line, lineAt, lineBefore, nextLine } from "../yaml/yaml-sections.js";

/** What to say where a line begins that is an item of a list among keys, or the other way round. */
export function describeMixture(text: string, at: number): string | undefined {
  const line = lineAt(text, at);
  if (at > line.body) return undefined;
  let peer = peerBefore(text, line);
  if (peer === undefined) return undefined;
  if (isItem(text, line)) return isAmongKeys(text, peer) ? itemAmongKeys : undefined;
  // A list may be indented like its key; then what follows it is another key.
  while (peer !== undefined && isItem(text, peer)) peer = peerBefore(text, peer);
  return peer === undefined ? lineAmongItems : undefined;
}

const itemAmongKeys = 'A list item cannot stand among keys; remove "- ", or correct the indentation.';
const lineAmongItems =
  'This line stands among list items and has no "- "; add it, remove theirs, or correct the indentation.';

/** The nearest line before with the same indentation, and none with less between. */
export function peerBefore(text: string, line: Line): Line | undefined {
  let before = lineBefore(text, line);
  while (before !== undefined && indentOf(before) > indentOf(line)) before = lineBefore(text, before);
  return before !== undefined && indentOf(before) === indentOf(line) ? before : undefined;
}

export function isItem(text: string, { body }: Line): boolean {
  return /^-(?:\s|$)/.test(text.slice(body, body + 2));
}

/** Not after a key that has a list or a block of text: of that, the item may be a part. */
function isAmongKeys(text: string, key: Line): boolean {
  const written = text.slice(key.body, endOfLine(text, key.body));
  if (isItem(text, key) || !/:(?:\s|$)/.test(written) || /\s[|>][-+\d]*\s*$/.test(written)) return false;
  const below = nextLine(text, key.end, text.length);
  return !(isBareKey(text, key) && below !== undefined && isItem(text, below));
}
