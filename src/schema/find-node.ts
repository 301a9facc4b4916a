import type { Node } from "../document/node.js";

/** The node a JSON Pointer leads to. */
export function findNode(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of pointer === "" ? [] : pointer.slice(1).split("/")) {
    if (node?.kind === "mapping") node = node.get(segment.replaceAll("~1", "/").replaceAll("~0", "~"));
    else if (node?.kind === "sequence") node = node.items[Number(segment)];
    else return undefined;
  }
  return node;
}
