import type { Node } from "../document/node.js";
import { readTemplate, type Reference, type Syntax } from "../template/read-template.js";

/** Words about the pack: what they name is not used by that. */
const prose = new Set(["description", "example"]);

/** The condition of an eval, which names variables as they are. */
const condition = "when";

export type Names = Pick<ReadonlySet<string>, "has" | "size">;

interface Part {
  readonly node: Node;
  readonly isCondition: boolean;
}

/** The names that any string inside a node refers to, be it a template or the parameter of an eval or validator. */
export function namesWithin(node: Node, syntax: Syntax, kinds: readonly Reference["kind"][]): Names {
  const names = new Set<string>();
  const open: Part[] = [{ node, isCondition: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node: part, isCondition } = next;
    if (part.kind === "mapping") {
      for (const { key, value } of part.entries) {
        if (prose.has(key.text)) continue;
        if (isCondition) names.add(key.text);
        open.push({ node: value, isCondition: isCondition || key.text === condition });
      }
    } else if (part.kind === "sequence") {
      for (const item of part.items) open.push({ node: item, isCondition });
    } else if (typeof part.value === "string") {
      if (isCondition) names.add(part.value);
      for (const { kind, name } of readTemplate(part.value, syntax).references) {
        if (kinds.includes(kind)) names.add(name);
      }
    }
  }
  return names;
}
