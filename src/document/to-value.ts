import type { Node } from "./node.js";

type Values = Record<string, unknown>;
type Container = { readonly node: Node; readonly value: unknown[] | Values };

/** The plain data of a tree. Objects have no prototype, so that `__proto__` is a key like any other. */
export function toValue(root: Node): unknown {
  return convert(root, () => Object.create(null) as Values);
}

/** The same with ordinary objects, which are faster to read: for who asks for no name but those of a schema. */
export function toOrdinaryValue(root: Node): unknown {
  return convert(root, () => ({}));
}

function convert(root: Node, newObject: () => Values): unknown {
  const open: Container[] = [];
  const shell = (node: Node): unknown => {
    if (node.kind === "scalar") return node.value;
    const value = node.kind === "sequence" ? [] : newObject();
    open.push({ node, value });
    return value;
  };
  const result = shell(root);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const { node, value } = container;
    if (node.kind === "sequence" && Array.isArray(value))
      for (const item of node.items) value.push(shell(item));
    else if (node.kind === "mapping" && !Array.isArray(value))
      for (const entry of node.entries) put(value, entry.key.text, shell(entry.value));
  }
  return result;
}

function put(object: Values, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
