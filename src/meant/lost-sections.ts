import type { Entry, MappingNode, Node } from "../document/node.js";
import { isForeign } from "./unindented.js";
import { losable } from "./homes.js";
import { fields, makeOf, type Made, spelled, withEntries } from "./spelled.js";

/** What the entries of a section are, where a section could be taken for one. */
const things: ReadonlyMap<string, Made> = new Map([
  ["prompts", "prompt"],
  ["tools", "tool"],
  ["states", "state"],
]);

/**
 * The pack with each section at the top level, and what is the workflow's in the workflow: what is indented too far
 * stands inside a neighbour. The schema reports that; what would follow from it is not worth a word.
 */
export function withLostSections(root: MappingNode): MappingNode {
  let found = root;
  for (const { home, parts, holders } of losable) {
    for (const [name, kind] of parts) {
      const owner = nodeAt(found, home);
      if (owner === undefined || owner.get(name) !== undefined) continue;
      for (const path of holders) {
        const lost = nodeAt(found, path)?.entry(name);
        if (lost?.value.kind !== kind || !isLost(lost.value, path)) continue;
        found = changed(found, path, (entries) => entries.filter((entry) => entry !== lost));
        found = changed(found, home, (entries) => [...entries, lost]);
        break;
      }
    }
  }
  return found;
}

/** A prompt may be called "tools". */
export function isLost(value: Node, outer: readonly string[]): boolean {
  const kind = things.get(outer.at(-1) ?? "");
  if (kind === undefined || value.kind !== "mapping") return true;
  return isForeign(spelled(value, fields[kind]), makeOf(kind));
}

function nodeAt(root: MappingNode, path: readonly string[]): MappingNode | undefined {
  let node: Node | undefined = root;
  for (const name of path) node = node?.kind === "mapping" ? node.get(name) : undefined;
  return node?.kind === "mapping" ? node : undefined;
}

/** The pack with other entries in the mapping at a path. */
function changed(
  node: MappingNode,
  [name, ...rest]: readonly string[],
  change: (entries: readonly Entry[]) => readonly Entry[],
): MappingNode {
  if (name === undefined) return withEntries(node, change(node.entries));
  const entries = node.entries.map((entry) => {
    const { key, value } = entry;
    return key.text === name && value.kind === "mapping"
      ? { key, value: changed(value, rest, change) }
      : entry;
  });
  return withEntries(node, entries);
}
