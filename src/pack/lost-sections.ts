import type { Entry, MappingNode, Node } from "../document/node.js";
import { isForeign } from "../document/unindented.js";
import { holdersOfSections, sections } from "../words/homes.js";
import { makeOf, type Made, withEntries } from "./spelled.js";

/** What the entries of a section are, where a section could be taken for one. */
const things: ReadonlyMap<string, Made> = new Map([
  ["prompts", "prompt"],
  ["tools", "tool"],
]);

/**
 * The pack with each section at the top level: one that is indented too far stands inside another. The schema reports
 * that; what would follow from it is not worth a word.
 */
export function withLostSections(root: MappingNode): MappingNode {
  let found = root;
  for (const [name, kind] of sections) {
    if (found.get(name) !== undefined) continue;
    for (const outer of holdersOfSections) {
      const holder = found.get(outer);
      const lost = holder?.kind === "mapping" ? holder.entry(name) : undefined;
      if (holder?.kind !== "mapping" || lost?.value.kind !== kind || !isLost(lost.value, outer)) continue;
      found = moved(found, holder, lost);
      break;
    }
  }
  return found;
}

/** A prompt may be called "tools". */
function isLost(value: Node, outer: string): boolean {
  const kind = things.get(outer);
  return kind === undefined || value.kind !== "mapping" || isForeign(value, makeOf(kind));
}

function moved(root: MappingNode, holder: MappingNode, lost: Entry): MappingNode {
  const rest = withEntries(
    holder,
    holder.entries.filter((entry) => entry !== lost),
  );
  const others = root.entries.map(({ key, value }) => ({ key, value: value === holder ? rest : value }));
  return withEntries(root, [...others, lost]);
}
