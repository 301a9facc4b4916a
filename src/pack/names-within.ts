import type { Node } from "../document/node.js";
import { readTemplate, type Reference, type Syntax } from "../template/read-template.js";

/** Words about the pack: what they name is not used by that. */
const prose = new Set(["description", "example"]);

export type Names = Pick<ReadonlySet<string>, "has" | "size">;

const anyName: Names = { has: () => true, size: Infinity };

/**
 * The names that any string inside a node refers to, be it a template or the parameter of an eval or validator. Of a
 * key that occurs twice only one value is known; the other may refer to anything.
 */
export function namesWithin(node: Node, syntax: Syntax, kinds: readonly Reference["kind"][]): Names {
  const names = new Set<string>();
  const open: Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "mapping") {
      for (const { key, value } of next.entries) {
        if (key.isDoubled) return anyName;
        if (!prose.has(key.text)) open.push(value);
      }
    } else if (next.kind === "sequence") {
      for (const item of next.items) open.push(item);
    } else if (typeof next.value === "string") {
      for (const { kind, name } of readTemplate(next.value, syntax).references) {
        if (kinds.includes(kind)) names.add(name);
      }
    }
  }
  return names;
}
