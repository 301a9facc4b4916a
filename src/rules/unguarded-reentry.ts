import type { Facts, WitnessedStates } from "../machine/facts.js";
import { runFaults, verdictsOf } from "../machine/verdicts.js";
import { isOlderThan } from "../schema/spec-version.js";
import type { Budget } from "../pack/workflow.js";
import type { GraphRule } from "./rule.js";

export const unguardedReentry: GraphRule = {
  id: "unguarded-reentry",
  subject: "graph",
  summary: "Every state that a run can enter twice has a `max_visits`.",
  severity: "info",
  source: "workflow guide, checklist",
  defersTo: [
    "no-terminal-state",
    "trapped-states",
    "unbounded-loop",
    "loop-held-by-budget-only",
    "agent-turn-loop",
  ],
  *check(workflow, facts, _pack, { isOn }) {
    if (isOlderThan(workflow.spec, "1.4.0")) return;
    const { fullyResolved } = verdictsOf(workflow, facts);
    const condition = budgetMayEndFirst(workflow.budget, facts) ? " if the budget allows it" : "";
    const faults = runFaults(workflow, facts, isOn);
    const loops: readonly WitnessedStates[] = [
      ...faults["no-terminal-state"].flatMap((found) => found.loops),
      ...faults["trapped-states"],
      ...faults["unbounded-loop"],
      ...faults["loop-held-by-budget-only"],
      ...(faults["agent-turn-loop"].length > 0 ? facts.unboundedLoops : []),
    ];
    const reported = new Set(loops.flatMap(({ states }) => states));
    for (const { index, name, maxVisits } of workflow.states) {
      if (maxVisits !== undefined || !facts.reentered.has(index)) continue;
      if (reported.has(index)) continue;
      const often = fullyResolved ? visitLimitText(facts.worstCaseOf(index), condition) : "more than once";
      yield {
        at: name,
        message: `A run can enter "${name.text}" ${often}: it has no max_visits.`,
        trace: facts.findReentry([index]),
      };
    }
  },
};

/** Whether the budget may end a run before the guards do. */
function budgetMayEndFirst(budget: Budget | undefined, { worstCase = Infinity }: Facts): boolean {
  return budget?.maxWallTimeSec !== undefined || worstCase > (budget?.maxTotalVisits?.value ?? Infinity);
}

/** Valid only if every name resolves: runs may continue behind an unknown one. */
function visitLimitText(most: number | undefined, condition: string): string {
  const often = most === undefined ? "more than once" : `up to ${most} times`;
  return `${often}${condition}, limited only by the guards of other states`;
}
