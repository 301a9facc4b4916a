import { runFaults } from "../machine/verdicts.js";
import type { GraphRule } from "./rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "./shared/describe-loop.js";

export const loopHeldByBudgetOnly: GraphRule = {
  id: "loop-held-by-budget-only",
  subject: "graph",
  summary: "A guard ends every loop; the budget is only the safety net.",
  severity: "info",
  source: "RFC 0009, loop guards and execution budgets",
  defersTo: ["no-terminal-state", "trapped-states", "agent-turn-loop"],
  *check(workflow, facts, _pack, { isOn }) {
    for (const loop of runFaults(workflow, facts, isOn)["loop-held-by-budget-only"]) {
      const fault = `${loop.certain ? "is" : "may be"} ended only by the budget`;
      yield* findingWithWitness(workflow, loop, {
        message: describeLoop(workflow, facts, loop, fault),
        advice: `${guardAdvice(workflow, loop)}.`,
        data: { states: stateNamesOf(workflow, loop.states) },
      });
    }
  },
};
