import { Key, type Node } from "./node.js";
import { endOfMatch } from "./scan-text.js";

/** Spaces that look like plain ones, and are text to YAML. */
export const unicodeSpaces = "\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000";

export const spaceName = (space: string): string => (space === "\u00a0" ? "no-break space" : "special space");

const markBeforeUnicodeSpace = new RegExp(`(?:-|[\\w.$-]+:)(?=[${unicodeSpaces}])`, "y");

/** Where such a space follows the mark of a key or an item that starts at `start`, and what to say of it. */
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
  const isGlued =
    unspacedKey.test(text) || findUnicodeSpaceAfterMark(text, 0) !== undefined || arrowKey.test(text);
  return isGlued ? text : undefined;
}

/** The properties of a pack that take a text of several lines; a fragment does, too, whatever it is called. */
export const multilineTextKeys: ReadonlySet<string> = new Set([
  "system_template",
  "system_template_prefix",
  "system_template_suffix",
  "description",
  "instructions",
  "message",
  "text",
  "notes",
]);
