import { isDuplicated, type Node } from "./node.js";

/** Whether two values are the same, whatever the order of their keys. Of a key that occurs twice this is not known: yes. */
export function isSameValue(one: Node, other: Node): boolean {
  const open: [Node, Node][] = [[one, other]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (isDuplicated(a) || isDuplicated(b)) continue;
    if (a.kind === "scalar" && b.kind === "scalar") {
      if (a.value !== b.value) return false;
    } else if (a.kind === "mapping" && b.kind === "mapping") {
      if (a.entries.length !== b.entries.length) return false;
      for (const { key, value } of a.entries) {
        const counterpart = b.get(key.text);
        if (counterpart === undefined) return false;
        open.push([value, counterpart]);
      }
    } else if (a.kind === "sequence" && b.kind === "sequence") {
      if (a.items.length !== b.items.length) return false;
      for (const [index, item] of a.items.entries()) {
        const counterpart = b.items[index];
        if (counterpart !== undefined) open.push([item, counterpart]);
      }
    } else return false;
  }
  return true;
}
