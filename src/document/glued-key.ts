import { Key, type Node } from "./node.js";

/** `name:value`, which needs a space after its colon to be a key with a value. An address does not. */
export const gluedKey = /^[\w.-]+:(?!\/\/)\S/;

/** Whether nothing is written for a value because it is part of its key: so YAML reads `{ name:value }`. */
export function isGlued(value: Node | null): boolean {
  const { key, start, end } = value ?? {};
  if (!(key instanceof Key) || start !== end || start !== key.end) return false;
  // With quotes, a key is longer than its text.
  return key.end - key.start === key.text.length && gluedKey.test(key.text);
}
