import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import { isOlderThan } from "../pack/spec.js";
import type { Budget } from "../pack/workflow.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";
import { shownBy } from "./shared/loop-words.js";

export const unguardedReentry: WorkflowRule = {
  id: "unguarded-reentry",
  subject: "workflow",
  summary: "Every state that a run can enter twice has a `max_visits`.",
  severity: "info",
  source: "workflow guide, checklist",
  heldBackBy: [...lostStateRules, "loop-held-by-budget-only"],
  *check(workflow, facts) {
    if (isOlderThan(workflow.spec, "1.4.0")) return;
    const { sound, trapped, rounds } = verdictsOf(workflow, facts);
    const aside = mayCutShort(workflow.budget, facts) ? ", the budget aside" : "";
    const reported = new Set([...rounds.unboundedLoops, ...trapped].flatMap(({ states }) => states));
    for (const { index, name, maxVisits, unclear } of workflow.states) {
      if (maxVisits !== undefined || unclear.has("max_visits") || !rounds.reentered.has(index)) continue;
      if (reported.has(index)) continue;
      const often = sound ? bound(facts.worstCaseOf(index), aside) : "more than once";
      yield {
        at: name,
        message: `A run can enter "${name.text}" ${often}: it has no max_visits of its own.`,
        ...shownBy(rounds.reentry([index])),
      };
    }
  },
};

/** Whether the budget may end a run before the guards do. */
function mayCutShort(budget: Budget | undefined, { worstCase = Infinity }: Facts): boolean {
  return budget?.maxWallTimeSec !== undefined || worstCase > (budget?.maxTotalVisits?.value ?? Infinity);
}

/** Only said where every name leads somewhere: behind a typo the runs may go on. */
function bound(most: number | undefined, aside: string): string {
  const often = most === undefined ? "more than once" : `up to ${most} times`;
  return `${often}${aside}, limited only by the guards of other states`;
}
