import type { Entry, MappingNode, Node } from "../document/node.js";
import { holdersOfSections, sections } from "../homes.js";
import { fields, required, withEntries } from "./spelled.js";

/** What an entry of a section is made of, where a section could be taken for one. */
const entries: Readonly<
  Record<string, { readonly required: readonly string[]; readonly known: ReadonlySet<string> }>
> = {
  prompts: { required: required.prompt, known: fields.prompt },
  tools: { required: required.tool, known: fields.tool },
};

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
      if (holder?.kind !== "mapping" || lost?.value.kind !== kind || !isForeign(lost.value, outer)) continue;
      found = moved(found, holder, lost);
      break;
    }
  }
  return found;
}

/** A prompt may be called "tools": what is no prompt lacks something, and most of what it has is unknown. */
function isForeign(value: Node, outer: string): boolean {
  const entry = Object.hasOwn(entries, outer) ? entries[outer] : undefined;
  if (entry === undefined || value.kind !== "mapping") return true;
  const unknown = value.entries.filter(({ key }) => !entry.known.has(key.text)).length;
  return entry.required.some((name) => value.get(name) === undefined) && 2 * unknown > value.entries.length;
}

function moved(root: MappingNode, holder: MappingNode, lost: Entry): MappingNode {
  const rest = withEntries(
    holder,
    holder.entries.filter((entry) => entry !== lost),
  );
  const others = root.entries.map(({ key, value }) => ({ key, value: value === holder ? rest : value }));
  return withEntries(root, [...others, lost]);
}
