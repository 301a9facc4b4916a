import { endOfMatch } from "./scan-text.js";

/** Spaces that look like plain ones, and are text to YAML. */
export const unicodeSpaces = "\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000";

export const spaceName = (space: string): string =>
  space === "\u00a0" ? "no-break space" : "special space";

const markBeforeUnicodeSpace = new RegExp(`(?:-|[\\w.$-]+:)(?=[${unicodeSpaces}])`, "y");

/** Where such a space follows the mark of a key or an item that starts at `start`, and what to say of it. */
export function findUnicodeSpaceAfterMark(text: string, start: number): { at: number; message: string } | undefined {
  const at = endOfMatch(markBeforeUnicodeSpace, text, start);
  if (at === undefined) return undefined;
  const name = spaceName(text.charAt(at));
  const mark = text.charAt(at - 1);
  return { at, message: `A ${name} cannot follow "${mark}" in YAML; use a plain space.` };
}
