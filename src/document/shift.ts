import { Key, MappingNode, type Node, SequenceNode } from "./node.js";

/**
 * A copy of a tree with all offsets moved. `onCopy` is called for each node; if it returns false, copying
 * stops there and the rest is left out. Does not recurse, since trees may be deep.
 */
export function copyShifted(root: Node, by: number, onCopy: (copy: Node, original: Node) => boolean): Node {
  const copies = new Map<Node, Node>();
  const open: { readonly from: MappingNode | SequenceNode; readonly to: MappingNode | SequenceNode }[] = [];
  let isOpen = true;
  const copyOf = (node: Node): Node => {
    const copy = emptyCopy(node, by);
    if (node.kind !== "scalar" && copy.kind !== "scalar") open.push({ from: node, to: copy });
    copies.set(node, copy);
    isOpen &&= onCopy(copy, node);
    return copy;
  };
  const copy = copyOf(root);
  for (let next = open.pop(); next !== undefined && isOpen; next = open.pop()) {
    const { from, to } = next;
    if (from.kind === "sequence" && to.kind === "sequence")
      for (const item of from.items) to.add(copyOf(item));
    else if (from.kind === "mapping" && to.kind === "mapping")
      for (const { key, value } of from.entries) {
        to.nextKey = copyKey(key, by);
        to.add(copyOf(value), []);
      }
  }
  // An alias may repeat a node from anywhere in the tree.
  for (const [node, made] of copies) {
    const origin = node.origin && copies.get(node.origin);
    if (origin !== undefined) Object.assign(made, { origin });
  }
  return copy;
}

export function copyKey(key: Key, by: number, text = key.text): Key {
  const copy = new Key(text, key.start + by, key.end + by);
  if (key.first !== undefined) copy.first = key.first;
  return copy;
}

function emptyCopy(node: Node, by: number): Node {
  if (node.kind === "scalar") return node.shifted(by);
  const { start, end, head } = node;
  const copy: MappingNode | SequenceNode =
    node.kind === "mapping" ? new MappingNode(start + by, end + by) : new SequenceNode(start + by, end + by);
  copy.head = { start: head.start + by, end: head.end + by };
  return copy;
}
