import { MappingNode, type Node } from "../document/node.js";
import { unindentedIn } from "../document/unindented.js";
import { makeOf, type Made, withEntries } from "./spelled.js";

/**
 * The prompts, tools, states or agents as they were meant: a property that stands beside the one it belongs to counts
 * for it. The schema reports that. Nothing where there are none, or it is not known to which one a property belongs.
 */
export function indented(things: Node | undefined, kind: Made): MappingNode | undefined {
  if (things?.kind !== "mapping") return undefined;
  const runs = unindentedIn(things, makeOf(kind));
  if (runs.length === 0) return things;
  if (runs.some(({ owner }) => owner === undefined)) return undefined;
  const moved = new Set(runs.flatMap(({ entries }) => entries));
  const added = new Map(runs.map(({ owner, entries }) => [owner, entries]));
  const entries = things.entries.flatMap((entry) => {
    if (moved.has(entry)) return [];
    const more = added.get(entry);
    if (more === undefined) return [entry];
    const own = asMapping(entry.value);
    return [{ key: entry.key, value: withEntries(own, [...own.entries, ...more]) }];
  });
  return withEntries(things, entries);
}

/** A thing of which nothing but the name is written is an empty one. */
function asMapping(node: Node): MappingNode {
  if (node.kind === "mapping") return node;
  const empty = new MappingNode(node.start, node.end, [], node);
  empty.parent = node.parent;
  empty.key = node.key;
  return empty;
}
