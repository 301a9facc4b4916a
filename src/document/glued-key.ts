import { Key, type Node } from "./node.js";
import { findUnicodeSpaceAfterMark } from "./strange-space.js";

/** `name:value`, which needs a space after its colon to be a key with a value. An address does not. */
export const unspacedKey = /^(?:<<|[\w.-]+):(?!\/\/)\S/;

/** `name -> value`, `name = value` and the like, which need a colon. */
const arrowKey = /^[\w.-]+?\s*(-{1,3}>|={1,3}>?|:=|\u2192)\s*[^\s=>]/;

/** What to do about an arrow in the place of a colon; nothing where there is none. */
export function arrowAdvice(text: string): string | undefined {
  const arrow = arrowKey.exec(text)?.[1];
  if (arrow === undefined) return undefined;
  return `write "${text.includes(`${arrow} `) ? ":" : ": "}" instead of "${arrow}"`;
}

/** Key and value where YAML reads both as a key, as in `{ name:value }`. */
export function unspacedEntry(value: Node): string | undefined {
  const { key, start, end } = value;
  if (!(key instanceof Key) || start !== end || start !== key.end) return undefined;
  // With quotes, a key is longer than its text.
  if (key.end - key.start !== key.text.length) return undefined;
  const { text } = key;
  const isGlued = unspacedKey.test(text) || findUnicodeSpaceAfterMark(text, 0) !== undefined || arrowKey.test(text);
  return isGlued ? text : undefined;
}
