import { Key, type Node } from "./node.js";
import { endOfMatch } from "./scan-text.js";

/** Spaces that look like plain ones, but that YAML reads as text. */
export const unicodeSpaces = "\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000";

export const spaceName = (space: string): string => (space === "\u00a0" ? "no-break space" : "special space");

const markBeforeUnicodeSpace = new RegExp(`(?:-|[\\w.$-]+:)(?=[${unicodeSpaces}])`, "y");

/** Such a space after the colon or dash of the entry at `start`. */
export function findUnicodeSpaceAfterMark(
  text: string,
  start: number,
): { at: number; message: string } | undefined {
  const at = endOfMatch(markBeforeUnicodeSpace, text, start);
  if (at === undefined) return undefined;
  const name = spaceName(text.charAt(at));
  const mark = text.charAt(at - 1);
  return { at, message: `A ${name} cannot follow "${mark}" in YAML; use a plain space.` };
}

/** `name:value`, which lacks a space after the colon, but not a URL. */
export const unspacedKey = /^(?:<<|[\w.-]+):(?!\/\/)\S/;

/** `name -> value`, `name = value` and the like, which need a colon. */
const arrowKey = /^[\w.-]+?\s*(-{1,3}>|={1,3}>?|:=|\u2192)\s*[^\s=>]/;

export function arrowAdvice(text: string): string | undefined {
  const arrow = arrowKey.exec(text)?.[1];
  if (arrow === undefined) return undefined;
  return `write "${text.includes(`${arrow} `) ? ":" : ": "}" instead of "${arrow}"`;
}

/** The text of `{ name:value }`, which YAML reads as a key without a value. */
export function unspacedEntry(value: Node): string | undefined {
  const { key, start, end } = value;
  if (!(key instanceof Key) || start !== end || start !== key.end) return undefined;
  // A quoted key is longer than its text.
  if (key.end - key.start !== key.text.length) return undefined;
  const { text } = key;
  const isGlued =
    unspacedKey.test(text) || findUnicodeSpaceAfterMark(text, 0) !== undefined || arrowKey.test(text);
  return isGlued ? text : undefined;
}
