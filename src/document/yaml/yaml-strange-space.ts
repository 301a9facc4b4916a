import type { Fault } from "../document.js";
import { faultAt } from "../refusal.js";
import { endOfMatch } from "../scan-text.js";
import { isLineBreak } from "../line-break.js";
import { spaceName, unicodeSpaces } from "../strange-space.js";
import { lineAt, previousLine, type Line } from "./yaml-sections.js";

const unicodeIndent = new RegExp(`[${unicodeSpaces}]+`, "y");

export function findUnicodeIndent(text: string, { body }: Line): Fault | undefined {
  const end = endOfMatch(unicodeIndent, text, body);
  if (end === undefined) return undefined;
  const name = spaceName(text.charAt(body));
  return faultAt(body, end, `A ${name} cannot indent a line in YAML; use plain spaces.`);
}

/**
 * At the start of a line such a space looks like indentation, and would become a part of the key. Lines that follow each
 * other were pasted together: that is one fault.
 */
export function findFirstUnicodeIndent(text: string, key: number): Fault | undefined {
  if (endOfMatch(unicodeIndent, text, key) === undefined || !isFirstOnLine(text, key)) return undefined;
  const line = lineAt(text, key);
  const before = previousLine(text, line);
  return before !== undefined && findUnicodeIndent(text, before) !== undefined
    ? undefined
    : findUnicodeIndent(text, line);
}

/** Whether only spaces stand before it. No more than those are looked at: all keys may be on one long line. */
function isFirstOnLine(text: string, at: number): boolean {
  let start = at;
  while (text.charAt(start - 1) === " ") start--;
  return start === 0 || isLineBreak(text.charCodeAt(start - 1));
}
