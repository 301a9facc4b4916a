import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { lineAt, lineBefore, type Line } from "./yaml-sections.js";

const strangeSpaces = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]+/y;

export const spaceNames = (space: string): string =>
  space === "\u00a0" ? "no-break space" : "special space";

export function strangeSpaceIn(text: string, { body }: Line): Fault | undefined {
  strangeSpaces.lastIndex = body;
  if (!strangeSpaces.test(text)) return undefined;
  const name = spaceNames(text.charAt(body));
  return faultAt(body, strangeSpaces.lastIndex, `A ${name} cannot indent a line in YAML; use plain spaces.`);
}

/**
 * At the start of a line such a space looks like indentation, and would become a part of the key. Lines that follow each
 * other were pasted together: that is one fault.
 */
export function strangeIndent(text: string, key: number): Fault | undefined {
  if (text.charCodeAt(key) < 0xa0) return undefined;
  const line = lineAt(text, key);
  const before = lineBefore(text, line);
  if (line.body !== key || (before !== undefined && strangeSpaceIn(text, before) !== undefined))
    return undefined;
  return strangeSpaceIn(text, line);
}
