import { childAt, segmentsOf } from "./find-node.js";
import { escapeSegment, type Node } from "./node.js";
import { stringOf } from "./spelled-values.js";

/** What tells an item of a list from the others, the best first. */
const identifyingKeys = [["name"], ["id"], ["path"], ["type"], ["uses"], ["provider", "model"]];

/** The pointers by which findings are known again in the next run. */
export function stablePointers<Found extends { readonly pointer: string }>(
  root: Node | undefined,
  found: readonly Found[],
): ReadonlyMap<Found, string> {
  return new Map(found.map((each) => [each, stablePointer(root, each.pointer)]));
}

/** A pointer with the items of lists named by what they are instead of where they stand: it outlasts their moving. */
function stablePointer(root: Node | undefined, pointer: string): string {
  let node = root;
  let lasting = "";
  for (const segment of segmentsOf(pointer)) {
    const isItem = node?.kind === "sequence";
    node = childAt(node, segment);
    lasting += `/${(isItem ? itemIdentity(node) : undefined) ?? segment}`;
  }
  return lasting;
}

function itemIdentity(item: Node | undefined): string | undefined {
  if (item?.kind === "scalar") return `=${escapeSegment(String(item.value))}`;
  if (item?.kind !== "mapping") return undefined;
  for (const keys of identifyingKeys) {
    const parts = keys.flatMap((key) => {
      const value = stringOf(item.get(key));
      return value === undefined ? [] : [`${key}=${escapeSegment(value)}`];
    });
    if (parts.length === keys.length) return parts.join(",");
  }
  return undefined;
}
