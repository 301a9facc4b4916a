import { strayBudgets } from "../pack/workflow.js";
import type { WorkflowRule } from "./rule.js";
import { nearestNameFix } from "./shared/fixes.js";

export const unknownEngineKey: WorkflowRule = {
  id: "unknown-engine-key",
  subject: "workflow",
  summary: "`engine` spells `budget` right and keeps its fields inside it.",
  severity: "info",
  fix: "unsafe",
  source: "RFC 0005, rule 4; RFC 0009, execution budgets",
  *check({ engine }, _, { document }) {
    for (const { key, kind } of strayBudgets(engine)) {
      yield {
        at: key,
        ...(kind === "field"
          ? { message: `"${key.text}" has no effect here: it belongs inside engine.budget.` }
          : {
              message: `"${key.text}" is not an engine setting that the specification defines.`,
              advice: 'Did you mean "budget"?',
              ...nearestNameFix(document, key, ["budget"]),
            }),
      };
    }
  },
};
