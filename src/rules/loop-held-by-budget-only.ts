import { verdictsOf } from "../machine/verdicts.js";
import type { GraphRule } from "./rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "./shared/describe-loop.js";

export const loopHeldByBudgetOnly: GraphRule = {
  id: "loop-held-by-budget-only",
  subject: "graph",
  summary: "Loops are ended by a guard of their own, with the budget as the safety net.",
  severity: "info",
  source: "RFC 0009, loop guards and execution budgets",
  *check(workflow, facts) {
    const { heldByBudget } = verdictsOf(workflow, facts);
    for (const loop of heldByBudget) {
      const fault = `${loop.certain ? "is" : "may be"} ended only by the budget`;
      yield* findingWithWitness(workflow, loop, {
        message: describeLoop(workflow, facts, loop, fault),
        advice: `${guardAdvice(workflow, loop)}.`,
        data: { states: stateNamesOf(workflow, loop.states) },
      });
    }
  },
};
