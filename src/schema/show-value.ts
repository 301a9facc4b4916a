import type { Words } from "../diagnostic.js";
import type { ScalarNode, Node } from "../document/node.js";
import { strangeSpaces } from "../document/strange-space.js";
import { escapeCharacter } from "../words/escape-character.js";
import { isOnlySlip, nearestName } from "../words/nearest-name.js";

const longestShown = 40;

/**
 * Controls and marks that turn the writing direction: they would change the line they are shown in. So would spaces that
 * look like plain ones, as the reader sees it. ZWJ and ZWNJ stay, as in every report: emoji and several scripts need them.
 */
const unprintable = new RegExp(
  `[\\u007f-\\u009f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff${strangeSpaces}]`,
  "g",
);

/** A text of the file in double quotes: escaped, and cut where it is long. */
export function quoted(text: string): string {
  const cut = text.length > longestShown;
  const shown = cut ? text.slice(0, longestShown - 1).replace(/[\ud800-\udbff]$/, "") + "…" : text;
  return JSON.stringify(shown).replace(unprintable, escapeCharacter);
}

/** What to do about a name, and the one to write in its place. */
export type Instead = Pick<Words, "advice" | "meant">;

/** `Did you mean "x"?`, or nothing. */
export function meantInstead(meant: string | undefined, isSure = true): Instead {
  if (meant === undefined) return {};
  return { advice: `Did you mean ${quoted(meant)}?`, meant: isSure ? meant : undefined };
}

/** The same for a name that is none of these, but near one of them. */
export function nearInstead(name: string, candidates: readonly string[]): Instead {
  const nearest = nearestName(name, candidates);
  return meantInstead(nearest, nearest !== undefined && isOnlySlip(name, nearest, candidates));
}

/** What stands in the file instead of what was expected. */
export function found(node: Node, source: string): string {
  if (node.kind === "mapping") return "an object";
  if (node.kind === "sequence") return "a list";
  if (node.value === null) return "nothing (null)";
  if (node.value === "") return "an empty string";
  return typeof node.value === "string" ? quoted(node.value) : spelling(node, source);
}

/** A number or boolean as its author wrote it (`1.0`, not `1`). */
export function spelling(node: ScalarNode, source: string): string {
  const { start, end } = node.origin ?? node;
  const written = source.slice(start, Math.min(end, start + longestShown + 1));
  return /^[-+.\w]{1,40}$/.test(written) ? written : String(node.value);
}
