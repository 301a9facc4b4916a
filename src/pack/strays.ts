import type { Entry, MappingNode, Node } from "../document/node.js";
import { fields, withEntries } from "./spelled.js";

type Kind = "prompt" | "state" | "agent";

/** What may hold a stray, and the properties that are its own. */
type Holder = readonly [node: Node | null | undefined, known: ReadonlySet<string>];

/**
 * The prompts, states or agents with those that stand outside of their section, or inside a neighbour. The schema says where
 * they belong; what would follow from it is not worth a word.
 */
export function withStrays(
  section: MappingNode | undefined,
  kind: Kind,
  holders: readonly Holder[],
): MappingNode | undefined {
  if (section === undefined) return undefined;
  const strays = new Map<string, Entry>();
  const collect = (node: Node | null | undefined, known: ReadonlySet<string>): void => {
    if (node?.kind !== "mapping") return;
    for (const entry of node.entries) {
      const { key, value } = entry;
      if (value.kind !== "mapping" || known.has(key.text) || !isThing(value, kind)) continue;
      if (section.entry(key.text) === undefined) strays.set(key.text, entry);
    }
  };
  for (const [node, known] of holders) collect(node, known);
  for (const { value } of section.entries) {
    collect(value, fields[kind]);
    if (kind === "state" && value.kind === "mapping") collect(value.get("on_event"), noFields);
  }
  if (strays.size === 0) return section;
  const entries = [...section.entries, ...strays.values()];
  return withEntries(
    section,
    entries.sort((a, b) => a.key.start - b.key.start),
  );
}

const noFields: ReadonlySet<string> = new Set();

/** Whether it looks like such a thing, wherever it stands. */
export function isThing(value: Node, kind: Kind): boolean {
  if (value.kind !== "mapping") return false;
  switch (kind) {
    case "prompt":
      return value.get("system_template") !== undefined;
    case "state":
      return value.get("prompt_task") !== undefined;
    case "agent":
      return value.entries.every(({ key }) => fields.agent.has(key.text));
  }
}
