import type { Words } from "../diagnostic.js";
import type { ScalarNode, Node } from "../document/node.js";
import { quoted } from "../document/shown.js";
import { isOnlySlip, nearestName } from "../words/nearest-name.js";

export { quoted };

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
  const written = source.slice(start, Math.min(end, start + 41));
  return /^[-+.\w]{1,40}$/.test(written) ? written : String(node.value);
}
