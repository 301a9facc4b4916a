import { verdictsOf } from "../machine/verdicts.js";
import type { GraphRule } from "./rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "./shared/describe-loop.js";

export const loopHeldByBudgetOnly: GraphRule = {
  id: "loop-held-by-budget-only",
  subject: "graph",
  summary: "A guard ends every loop; the budget is only the safety net.",
  severity: "info",
  source: "RFC 0009, loop guards and execution budgets",
  *check(workflow, facts) {
    for (const loop of verdictsOf(workflow, facts).heldByBudget) {
      const fault = `${loop.certain ? "is" : "may be"} ended only by the budget`;
      yield* findingWithWitness(workflow, loop, {
        message: describeLoop(workflow, facts, loop, fault),
        advice: `${guardAdvice(workflow, loop)}.`,
        data: { states: stateNamesOf(workflow, loop.states) },
      });
    }
  },
};
