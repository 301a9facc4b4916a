import { endOfMatch } from "./scan-text.js";

/** Spaces that look like plain ones, and are text to YAML. */
export const strangeSpaces = "\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000";

export const nameOfSpace = (space: string): string =>
  space === "\u00a0" ? "no-break space" : "special space";

const gluedSpace = new RegExp(`(?:-|[\\w.$-]+:)(?=[${strangeSpaces}])`, "y");

/** Where such a space follows the mark of a key or an item that starts at `start`, and what to say of it. */
export function findGluedSpace(text: string, start: number): { at: number; message: string } | undefined {
  const at = endOfMatch(gluedSpace, text, start);
  if (at === undefined) return undefined;
  const name = nameOfSpace(text.charAt(at));
  const mark = text.charAt(at - 1);
  return { at, message: `A ${name} cannot follow "${mark}" in YAML; use a plain space.` };
}
