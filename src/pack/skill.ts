import type { Place } from "../diagnostic.js";
import { type MappingNode, type Node, placeOf } from "../document/node.js";
import { itemsOf, LocatedString } from "../document/spelled-values.js";
import type { Unclear } from "../schema/unclear.js";

/** The knowledge a pack may load (RFC 0008). */
export interface Skills {
  readonly isWritten: boolean;
  readonly sources: readonly SkillSource[];
  /** Whether some source breaks the schema: what it declares is unknown. */
  readonly unclear: boolean;
}

/** A path or package reference, or a skill written out in the pack. */
export type SkillSource =
  | { readonly kind: "path"; readonly path: LocatedString }
  | { readonly kind: "inline"; readonly at: Place; readonly name: LocatedString };

export function readSkills(root: MappingNode, unclear: Unclear): Skills {
  const node = root.get("skills");
  const clear = itemsOf(node).filter((item) => !unclear.has(item));
  return {
    isWritten: node !== undefined,
    sources: clear.flatMap((item) => readSource(item) ?? []),
    unclear: unclear.hasProperty(root, "skills") || clear.length < itemsOf(node).length,
  };
}

function readSource(node: Node): SkillSource | undefined {
  const isMapping = node.kind === "mapping";
  const path = LocatedString.of(isMapping ? node.get("path") : node);
  if (path !== undefined) return { kind: "path", path };
  const name = isMapping ? LocatedString.of(node.get("name")) : undefined;
  return name === undefined ? undefined : { kind: "inline", at: placeOf(node), name };
}
