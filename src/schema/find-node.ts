import { type Node, unescapeSegment } from "../document/node.js";

/** The node a JSON Pointer leads to. */
export function findNode(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of pointer === "" ? [] : pointer.slice(1).split("/")) {
    if (node?.kind === "mapping") node = node.get(unescapeSegment(segment));
    else if (node?.kind === "sequence") node = node.items[Number(segment)];
    else return undefined;
  }
  return node;
}
