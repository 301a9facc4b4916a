import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { nameOfSpace, strangeSpaces } from "../strange-space.js";
import { lineAt, lineBefore, type Line } from "./yaml-sections.js";

const indentation = new RegExp(`[${strangeSpaces}]+`, "y");

export function strangeSpaceIn(text: string, { body }: Line): Fault | undefined {
  indentation.lastIndex = body;
  if (!indentation.test(text)) return undefined;
  const name = nameOfSpace(text.charAt(body));
  return faultAt(body, indentation.lastIndex, `A ${name} cannot indent a line in YAML; use plain spaces.`);
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
