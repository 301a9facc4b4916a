import type { Node } from "../document/node.js";
import { readTemplate, type Reference, type Syntax } from "../template/read-template.js";

/** Words about the pack: what they name is not used by that. */
const proseKeys = new Set(["description", "example"]);

/** The condition of an eval, which names variables as they are. */
const conditionKey = "when";

export type NameSet = Pick<ReadonlySet<string>, "has" | "size">;

interface PendingNode {
  readonly node: Node;
  readonly isCondition: boolean;
}

/** The names that any string inside a node refers to, be it a template or the parameter of an eval or validator. */
export function referencedNames(node: Node, syntax: Syntax, kinds: readonly Reference["kind"][]): NameSet {
  const names = new Set<string>();
  const open: PendingNode[] = [{ node, isCondition: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node: part, isCondition } = next;
    if (part.kind === "mapping") {
      for (const { key, value } of part.entries) {
        if (proseKeys.has(key.text)) continue;
        if (isCondition) names.add(key.text);
        open.push({ node: value, isCondition: isCondition || key.text === conditionKey });
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
