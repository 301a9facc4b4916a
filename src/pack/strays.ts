import type { Entry, MappingNode, Node } from "../document/node.js";
import { fields, makeOf, withEntries } from "./spelled.js";

/** What may hold a stray, and the properties that are its own. */
type Holder = readonly [node: Node | null | undefined, known: ReadonlySet<string>];

/**
 * The prompts or states with those that stand outside of their section, or inside a neighbour. The schema says where
 * they belong; what would follow from it is not worth a word.
 */
export function withStrays(
  section: MappingNode | undefined,
  kind: "prompt" | "state",
  holders: readonly Holder[],
): MappingNode | undefined {
  if (section === undefined) return undefined;
  const { required } = makeOf(kind);
  const strays = new Map<string, Entry>();
  const collect = (node: Node | null | undefined, known: ReadonlySet<string>): void => {
    if (node?.kind !== "mapping") return;
    for (const entry of node.entries) {
      const { key, value } = entry;
      if (value.kind !== "mapping" || known.has(key.text)) continue;
      if (!required.every((name) => value.get(name) !== undefined)) continue;
      if (section.entry(key.text) === undefined) strays.set(key.text, entry);
    }
  };
  for (const [node, known] of holders) collect(node, known);
  for (const { value } of section.entries) collect(value, fields[kind]);
  if (strays.size === 0) return section;
  const entries = [...section.entries, ...strays.values()];
  return withEntries(
    section,
    entries.sort((a, b) => a.key.start - b.key.start),
  );
}
