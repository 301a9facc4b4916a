import type { Node } from "./node.js";

type PlainObject = Record<string, unknown>;
type OpenContainer = { readonly node: Node; readonly value: unknown[] | PlainObject };

/** The plain data of a tree, as of `JSON.parse`: ask its objects for their own properties, or for those of a schema. */
export function toValue(root: Node): unknown {
  const open: OpenContainer[] = [];
  const shell = (node: Node): unknown => {
    if (node.kind === "scalar") return node.value;
    const value = node.kind === "sequence" ? [] : {};
    open.push({ node, value });
    return value;
  };
  const result = shell(root);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const { node, value } = container;
    if (node.kind === "sequence" && Array.isArray(value))
      for (const item of node.items) value.push(shell(item));
    else if (node.kind === "mapping" && !Array.isArray(value))
      for (const entry of node.entries) setOwnProperty(value, entry.key.text, shell(entry.value));
  }
  return result;
}

function setOwnProperty(object: PlainObject, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
