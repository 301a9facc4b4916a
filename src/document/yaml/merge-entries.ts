import type { Entry, Node } from "../node.js";
import type { Anchors } from "./anchors.js";
import { invalidMergeError } from "./merge-refusal.js";

/**
 * The entries of a mapping with those that its merge keys bring, which stand where the merge key stood. The mapping's
 * own keys win, then the earlier of the merged mappings.
 */
export function mergeEntries(
  read: readonly Entry[],
  isMerge: (entry: Entry) => boolean,
  anchors: Anchors,
): Entry[] {
  const own = new Set<string>();
  for (const entry of read) if (!isMerge(entry)) own.add(entry.key.text);
  const entries: Entry[] = [];
  for (const entry of read) {
    if (!isMerge(entry)) {
      entries.push(entry);
      continue;
    }
    for (const merged of mergedEntries(entry, anchors)) {
      if (own.has(merged.key.text)) continue;
      own.add(merged.key.text);
      entries.push(merged);
    }
  }
  return entries;
}

function* mergedEntries({ key, value }: Entry, anchors: Anchors): Iterable<Entry> {
  const sources: readonly Node[] = value.kind === "sequence" ? value.items : [value];
  for (const source of sources) {
    if (source.kind !== "mapping") throw invalidMergeError(anchors, key, source);
    yield* source.entries;
  }
}
