import type { Node } from "../document/node.js";
import { readTemplate, type Reference, type Syntax } from "../template/read-template.js";

/** Words about the pack: what they name is not used by that. */
const prose = new Set(["description", "example"]);

/** The names that any string inside a node refers to, be it a template or the parameter of an eval or validator. */
export function namesWithin(
  node: Node,
  syntax: Syntax,
  kinds: readonly Reference["kind"][],
): ReadonlySet<string> {
  const names = new Set<string>();
  const open: Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "mapping") {
      for (const { key, value } of next.entries) if (!prose.has(key.text)) open.push(value);
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
