import { escapeSegment, type Node, unescapeSegment } from "./node.js";

/** A pointer with the items of lists named by what they are instead of where they stand: it outlasts their moving. */
export function lastingPointer(root: Node | undefined, pointer: string): string {
  let node = root;
  let lasting = "";
  for (const segment of pointer.split("/").slice(1)) {
    if (node?.kind === "sequence") {
      node = node.items[Number(segment)];
      lasting += `/${nameOf(node) ?? segment}`;
    } else {
      node = node?.kind === "mapping" ? node.get(unescapeSegment(segment)) : undefined;
      lasting += `/${segment}`;
    }
  }
  return lasting;
}

function nameOf(item: Node | undefined): string | undefined {
  if (item?.kind === "scalar") return `=${escapeSegment(String(item.value))}`;
  if (item?.kind !== "mapping") return undefined;
  for (const key of ["name", "id", "path"]) {
    const value = item.get(key);
    if (value?.kind === "scalar" && typeof value.value === "string")
      return `${key}=${escapeSegment(value.value)}`;
  }
  return undefined;
}
