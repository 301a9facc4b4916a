import { Key, type Node } from "./node.js";

/** `name:value`, which needs a space after its colon to be a key with a value. An address does not. */
export const gluedKey = /^[\w.-]+:(?!\/\/)\S/;

/** `name -> value`, `name = value` and the like, which need a colon. */
const arrowKey = /^[\w.-]+\s*(->|=>|\u2192|=)\s*\S/;

/** What stands in a text where a key has its colon. */
export function arrowIn(text: string): string | undefined {
  return arrowKey.exec(text)?.[1];
}

/** Whether nothing is written for a value because it is part of its key: so YAML reads `{ name:value }`. */
export function isGlued(value: Node | null): boolean {
  return gluedMark(value) !== undefined;
}

/** The mark that should have been the colon and a space between such a key and its value. */
export function gluedMark(value: Node | null): string | undefined {
  const { key, start, end } = value ?? {};
  if (!(key instanceof Key) || start !== end || start !== key.end) return undefined;
  // With quotes, a key is longer than its text.
  if (key.end - key.start !== key.text.length) return undefined;
  return gluedKey.test(key.text) ? ":" : arrowIn(key.text);
}
