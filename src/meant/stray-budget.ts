import { childrenOf, type Entry, type Key, type MappingNode, type Node } from "../document/node.js";
import { linesBelow } from "./unindented.js";
import { homeOf } from "./homes.js";
import { nearestName } from "../words/nearest-name.js";
import { fields, spelled } from "./spelled.js";

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

/** The budgets, and fields of one, that are written outside `engine`: the schema reports each, and says where it belongs. */
export function misplacedBudgets(workflow: MappingNode): readonly Entry[] {
  const states = workflow.get("states");
  return [
    ...partsIn(workflow, "workflow", "engine"),
    ...partsIn(workflow.parent, "pack", "workflow.engine"),
    ...(states ? childrenOf(states) : []).flatMap((state) => partsIn(state, "state", "workflow.engine")),
  ];
}

function partsIn(node: Node | null, holder: "pack" | "state" | "workflow", engine: string): readonly Entry[] {
  if (node?.kind !== "mapping") return [];
  const strays = node.entries.filter(({ key }) => !fields[holder].has(key.text));
  return strays.filter(({ key }) => `${homeOf(key.text, holder)}.${key.text}`.startsWith(engine));
}

/** The fields of a budget that end every run: not every run calls tools. */
export const endingFields: readonly string[] = ["max_total_visits", "max_wall_time_sec"];

/** Whether such a field is what is written, or stands inside it. */
export function mayEndRuns({ key, value }: Entry): boolean {
  if (endingFields.includes(key.text)) return true;
  return value.kind === "mapping" && spelled(value, fields.budget).entries.some(mayEndRuns);
}
