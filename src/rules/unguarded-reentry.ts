import { verdictsOf } from "../machine/verdicts.js";
import { isOlderThan } from "../pack/spec.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";
import { shownBy } from "./shared/loop-words.js";

export const unguardedReentry: WorkflowRule = {
  id: "unguarded-reentry",
  subject: "workflow",
  summary: "Every state that a run can enter twice has a `max_visits`.",
  severity: "info",
  source: "workflow guide, checklist",
  heldBackBy: [
    ...lostStateRules,
    "loop-held-by-budget-only",
    "newer-field",
    "trapped-states",
    "unbounded-loop",
  ],
  *check(workflow, facts) {
    if (isOlderThan(workflow.spec, "1.4.0")) return;
    const { sound, trapped } = verdictsOf(workflow, facts);
    const reported = new Set([...facts.unboundedLoops, ...trapped].flatMap(({ states }) => states));
    for (const { index, name, maxVisits, unclear } of workflow.states ?? []) {
      if (maxVisits !== undefined || unclear.has("max_visits") || !facts.reentered.has(index)) continue;
      if (reported.has(index)) continue;
      yield {
        at: name,
        message: `A run can enter "${name.text}" ${sound ? bound(facts.worstCaseOf(index)) : "more than once"}: it has no max_visits of its own.`,
        ...shownBy(facts.reentry([index])),
      };
    }
  },
};

/** Only said where every name leads somewhere: behind a typo the runs may go on. */
function bound(most: number | undefined): string {
  const often = most === undefined ? "more than once" : `up to ${most} times`;
  return `${often}, limited only by the guards of other states`;
}
