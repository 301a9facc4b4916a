import type { Node } from "./node.js";

type Container = { readonly node: Node; readonly value: unknown[] | Record<string, unknown> };

/** The plain data of a tree. Objects have no prototype, so that `__proto__` is a key like any other. */
export function toValue(root: Node): unknown {
  const open: Container[] = [];
  const shell = (node: Node): unknown => {
    if (node.kind === "scalar") return node.value;
    const value = node.kind === "sequence" ? [] : (Object.create(null) as Record<string, unknown>);
    open.push({ node, value });
    return value;
  };
  const result = shell(root);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const { node, value } = container;
    if (node.kind === "sequence" && Array.isArray(value))
      for (const item of node.items) value.push(shell(item));
    else if (node.kind === "mapping" && !Array.isArray(value))
      for (const entry of node.entries) value[entry.key.text] = shell(entry.value);
  }
  return result;
}
