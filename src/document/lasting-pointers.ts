import { childAt, segmentsOf } from "./find-node.js";
import { escapeSegment, type Node } from "./node.js";
import { stringOf } from "./spelled-values.js";

/** What tells an item of a list from the others, the best first. */
const names = [["name"], ["id"], ["path"], ["type"], ["uses"], ["provider", "model"]];

/** The pointers by which findings are known again in the next run. */
export function lastingPointers<Found extends { readonly pointer: string }>(
  root: Node | undefined,
  found: readonly Found[],
): ReadonlyMap<Found, string> {
  return new Map(found.map((each) => [each, lastingPointer(root, each.pointer)]));
}

/** A pointer with the items of lists named by what they are instead of where they stand: it outlasts their moving. */
function lastingPointer(root: Node | undefined, pointer: string): string {
  let node = root;
  let lasting = "";
  for (const segment of segmentsOf(pointer)) {
    const isItem = node?.kind === "sequence";
    node = childAt(node, segment);
    lasting += `/${(isItem ? nameOf(node) : undefined) ?? segment}`;
  }
  return lasting;
}

function nameOf(item: Node | undefined): string | undefined {
  if (item?.kind === "scalar") return `=${escapeSegment(String(item.value))}`;
  if (item?.kind !== "mapping") return undefined;
  for (const keys of names) {
    const parts = keys.flatMap((key) => {
      const value = stringOf(item.get(key));
      return value === undefined ? [] : [`${key}=${escapeSegment(value)}`];
    });
    if (parts.length === keys.length) return parts.join(",");
  }
  return undefined;
}
