import type { Words } from "../diagnostic.js";
import { quoteValue } from "../document/fault.js";
import type { Node, ScalarNode } from "../document/node.js";
import { isUniqueTypo, lookAlikeNote, nearestName } from "../text/names.js";

export { quoteValue };

export type Suggestion = Pick<Words, "advice" | "replacement">;

/** `Did you mean "x"?` */
export function suggestion(name: string, near: string | undefined, isSure: boolean): Suggestion {
  if (near === undefined) return {};
  const advice = `Did you mean ${quoteValue(near)}?${lookAlikeNote(name, near)}`;
  return { advice, replacement: isSure ? near : undefined };
}

/** The same for an unknown name that is near a candidate. */
export function nearSuggestion(name: string, candidates: readonly string[]): Suggestion {
  const nearest = nearestName(name, candidates);
  return suggestion(name, nearest, nearest !== undefined && isUniqueTypo(name, nearest, candidates));
}

/** Follows "found". */
export function describeFound(node: Node, source: string): string {
  if (node.kind === "mapping") return "an object";
  if (node.kind === "sequence") return "a list";
  if (node.value === null) return "nothing (null)";
  if (node.value === "") return "an empty string";
  return typeof node.value === "string" ? quoteValue(node.value) : spelling(node, source);
}

/** A number or boolean as its author wrote it (`1.0`, not `1`). */
export function spelling(node: ScalarNode, source: string): string {
  const { start, end } = node.origin ?? node;
  const written = source.slice(start, Math.min(end, start + 41));
  return /^[-+.\w]{1,40}$/.test(written) ? written : String(node.value);
}
