import type { Fault } from "../document.js";
import { faultAt, Refusal } from "../refusal.js";
import { lineAt, type Line } from "./yaml-sections.js";

const strangeSpaces = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]+/y;

export const spaceNames = (space: string): string =>
  space === "\u00a0" ? "no-break space" : "special space";

export function strangeSpaceIn(text: string, { body }: Line): Fault | undefined {
  strangeSpaces.lastIndex = body;
  if (!strangeSpaces.test(text)) return undefined;
  const name = spaceNames(text.charAt(body));
  return faultAt(body, strangeSpaces.lastIndex, `A ${name} cannot indent a line in YAML; use plain spaces.`);
}

/** At the start of a line such a space looks like indentation, and would become a part of the key. */
export function refuseStrangeIndent(text: string, key: number): void {
  if (text.charCodeAt(key) < 0xa0) return;
  const line = lineAt(text, key);
  const fault = line.body === key ? strangeSpaceIn(text, line) : undefined;
  if (fault !== undefined) throw new Refusal(fault.start, fault.end, fault.message, false);
}
