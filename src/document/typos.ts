import { Key, type Node } from "./node.js";

/** Spaces that look like plain ones, but that YAML reads as text. */
export const unicodeSpaces = "\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000";

export const spaceName = (space: string): string => (space === "\u00a0" ? "no-break space" : "special space");

/** `name:value`, which lacks a space after the colon, but not a URL. */
export const unspacedKey = /^(?:<<|[\w.-]+):(?!\/\/)\S/;

/** Whether a value is missing because its key is `name:value`, as in `{ name:value }`. */
export function isUnspaced({ key, start, end }: Node): boolean {
  if (!(key instanceof Key) || start !== end || start !== key.end) return false;
  // A quoted key is longer than its text.
  return key.end - key.start === key.text.length && unspacedKey.test(key.text);
}
