import type { Place } from "../diagnostic.js";
import { type Node, placeOf } from "../document/node.js";
import { itemsOf, Text } from "../document/spelled-values.js";
import { isComplete } from "../meant/spelled.js";

/** The knowledge a pack may load (RFC 0008). */
export interface Skills {
  readonly isWritten: boolean;
  readonly sources: readonly SkillSource[];
  /** Whether some source could not be read: what it declares is unknown. */
  readonly unclear: boolean;
}

/** A path or package reference, or a skill written out in the pack. */
export type SkillSource =
  | { readonly kind: "path"; readonly path: Text }
  | { readonly kind: "inline"; readonly at: Place; readonly name: Text };

export function readSkills(node: Node | undefined): Skills {
  const items = itemsOf(node);
  const sources = items.flatMap((item) => readSource(item) ?? []);
  const unclear = !isComplete(node, "sequence") || sources.length < items.length;
  return { isWritten: node !== undefined, sources, unclear };
}

function readSource(node: Node): SkillSource | undefined {
  const isMapping = node.kind === "mapping";
  // It has both forms at once, which the schema reports.
  if (isMapping && node.get("path") !== undefined && node.get("instructions") !== undefined) return undefined;
  const path = Text.once(isMapping ? node.get("path") : node);
  if (path !== undefined) return { kind: "path", path };
  const name = isMapping ? Text.once(node.get("name")) : undefined;
  // An empty one is no name, which the schema reports.
  return name === undefined || name.text === "" ? undefined : { kind: "inline", at: placeOf(node), name };
}
