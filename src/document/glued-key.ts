import { Key, type Node } from "./node.js";

/** `name:value`, which needs a space after its colon to be a key with a value. An address does not. */
export const gluedKey = /^[\w.-]+:(?!\/\/)\S/;

/** `name -> value`, `name = value` and the like, which need a colon. */
const arrowKey = /^[\w.-]+\s*(->|=>|\u2192|=)\s*\S/;

/** What stands in a text where a key has its colon. */
export function arrowIn(text: string): string | undefined {
  return arrowKey.exec(text)?.[1];
}

/** The mark between key and value where YAML reads both as a key, as in `{ name:value }`: it should be a colon and a space. */
export function gluedMark(value: Node | null): string | undefined {
  const { key, start, end } = value ?? {};
  if (!(key instanceof Key) || start !== end || start !== key.end) return undefined;
  // With quotes, a key is longer than its text.
  if (key.end - key.start !== key.text.length) return undefined;
  return gluedKey.test(key.text) ? ":" : arrowIn(key.text);
}
