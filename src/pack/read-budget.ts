import { isDoubled, type MappingNode, type Node } from "../document/node.js";
import { Whole } from "../document/spelled-values.js";
import { fields, spelled } from "../meant/spelled.js";
import { endingFields } from "../meant/stray-budget.js";
import type { Budget } from "./workflow.js";

export function readBudget(written: MappingNode | undefined): Budget | undefined {
  if (written === undefined) return undefined;
  const node = spelled(written, fields.budget);
  return {
    maxTotalVisits: Whole.of(node.get("max_total_visits")),
    maxToolCalls: Whole.of(node.get("max_tool_calls")),
    maxWallTimeSec: Whole.of(node.get("max_wall_time_sec")),
    isEmpty: node.entries.length === 0,
  };
}

/** Whether the engine, its budget, or what in it ends every run is written twice, or as something else than it has to be. */
export function isUnclearBudget(engine: Node | undefined): boolean {
  const written = engine?.kind === "mapping" ? engine.get("budget") : engine;
  if (isDoubled(engine) || isDoubled(written)) return true;
  if (written === undefined) return false;
  if (written.kind !== "mapping") return true;
  const limits = spelled(written, fields.budget);
  return endingFields.some((name) => limits.get(name) !== undefined);
}
