import { childrenOf, type Key, type MappingNode, type Node } from "../document/node.js";
import { linesBelow } from "./unindented.js";
import { homeOf } from "./homes.js";
import { nearestName } from "../words/nearest-name.js";
import { fields } from "./spelled.js";

/** A key of `engine` that looks like a budget in the wrong place. */
export interface StrayBudget {
  readonly key: Key;
  /** A field of the budget outside it, or below its name as if inside, or the budget itself under another name. */
  readonly kind: "field" | "unindented" | "misspelt";
}

export function strayBudgets(engine: MappingNode | undefined): readonly StrayBudget[] {
  const unindented = new Set(linesBelow(engine?.get("budget"), ({ text }) => fields.budget.has(text)));
  return (engine?.entries ?? []).flatMap(({ key }): readonly StrayBudget[] => {
    if (key.text === "budget") return [];
    if (fields.budget.has(key.text)) return [{ key, kind: unindented.has(key) ? "unindented" : "field" }];
    return nearestName(key.text, ["budget"]) === undefined ? [] : [{ key, kind: "misspelt" }];
  });
}

/** Whether a budget, or a field of one, is written outside `engine`: the schema reports it, and says where it belongs. */
export function hasMisplacedBudget(workflow: MappingNode): boolean {
  const states = workflow.get("states");
  return (
    holdsPartOf("engine", workflow, "workflow") ||
    holdsPartOf("workflow.engine", workflow.parent, "pack") ||
    (states !== undefined &&
      childrenOf(states).some((state) => holdsPartOf("workflow.engine", state, "state")))
  );
}

function holdsPartOf(engine: string, node: Node | null, holder: "pack" | "state" | "workflow"): boolean {
  if (node?.kind !== "mapping") return false;
  const strays = node.entries.filter(({ key }) => !fields[holder].has(key.text));
  return strays.some(({ key }) => `${homeOf(key.text, holder)}.${key.text}`.startsWith(engine));
}
