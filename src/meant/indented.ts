import type { MappingNode, Node } from "../document/node.js";
import { asMapping } from "../document/spelled-values.js";
import { unindentedIn } from "./unindented.js";
import { type Made, makes, withEntries } from "./spelled.js";

/**
 * The prompts, tools, states, agents or artifacts as they were meant: a property that stands beside the one it belongs
 * to counts for it. The schema reports that. Nothing where there are none, or it is not known to which one a property
 * belongs.
 */
export function indented(things: Node | undefined, kind: Made): MappingNode | undefined {
  if (things?.kind !== "mapping") return undefined;
  const runs = unindentedIn(things, makes[kind]);
  if (runs.length === 0) return things;
  if (runs.some(({ owner }) => owner === undefined)) return undefined;
  const moved = new Set(runs.flatMap(({ entries }) => entries));
  const added = new Map(runs.map(({ owner, entries }) => [owner, entries]));
  const entries = things.entries.flatMap((entry) => {
    if (moved.has(entry)) return [];
    const more = added.get(entry);
    if (more === undefined) return [entry];
    // A thing of which nothing but the name is written is an empty one.
    const own = asMapping(entry.value)?.entries ?? [];
    return [{ key: entry.key, value: withEntries(entry.value, [...own, ...more]) }];
  });
  return withEntries(things, entries);
}
