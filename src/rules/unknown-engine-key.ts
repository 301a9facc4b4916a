import { nearestName } from "../nearest-name.js";
import type { WorkflowRule } from "./rule.js";

const budgetFields = new Set(["max_total_visits", "max_tool_calls", "max_wall_time_sec"]);

export const unknownEngineKey: WorkflowRule = {
  id: "unknown-engine-key",
  subject: "workflow",
  summary: "`engine` spells `budget` right and keeps its fields inside it.",
  severity: "info",
  source: "RFC 0005, rule 4; RFC 0009, execution budgets",
  *check({ engine }) {
    for (const { key } of engine?.entries ?? []) {
      if (budgetFields.has(key.text)) {
        yield { at: key, message: `"${key.text}" has no effect here: it belongs inside \`engine.budget\`.` };
      } else if (nearestName(key.text, ["budget"]) !== undefined) {
        yield {
          at: key,
          message: `"${key.text}" is no engine setting the specification knows. Did you mean "budget"?`,
        };
      }
    }
  },
};
