import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { endOfMatch } from "../scan-text.js";
import { isBreak } from "../line-break.js";
import { nameOfSpace, strangeSpaces } from "../strange-space.js";
import { lineAt, lineBefore, type Line } from "./yaml-sections.js";

const indentation = new RegExp(`[${strangeSpaces}]+`, "y");

export function strangeSpaceIn(text: string, { body }: Line): Fault | undefined {
  const end = endOfMatch(indentation, text, body);
  if (end === undefined) return undefined;
  const name = nameOfSpace(text.charAt(body));
  return faultAt(body, end, `A ${name} cannot indent a line in YAML; use plain spaces.`);
}

/**
 * At the start of a line such a space looks like indentation, and would become a part of the key. Lines that follow each
 * other were pasted together: that is one fault.
 */
export function strangeIndent(text: string, key: number): Fault | undefined {
  if (endOfMatch(indentation, text, key) === undefined || !isIndented(text, key)) return undefined;
  const line = lineAt(text, key);
  const before = lineBefore(text, line);
  return before !== undefined && strangeSpaceIn(text, before) !== undefined
    ? undefined
    : strangeSpaceIn(text, line);
}

/** Whether only spaces stand before it. No more than those are looked at: all keys may be on one long line. */
function isIndented(text: string, at: number): boolean {
  let start = at;
  while (text.charAt(start - 1) === " ") start--;
  return start === 0 || isBreak(text.charCodeAt(start - 1));
}
