import { verdictsOf } from "../machine/verdicts.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";

export const deadGuard: WorkflowRule = {
  id: "dead-guard",
  subject: "workflow",
  summary: "Every `max_visits` can be reached by some run.",
  severity: "info",
  source: "RFC 0009, loop guards",
  heldBackBy: lostStateRules,
  *check(workflow, facts) {
    if (facts.metSpent === undefined || !verdictsOf(workflow, facts).sound) return;
    for (const { index, name, maxVisits } of workflow.states ?? []) {
      if (maxVisits === undefined || !facts.entered.has(index) || facts.metSpent.has(index)) continue;
      const most = facts.worstCaseOf(index) ?? maxVisits.value;
      yield {
        at: maxVisits,
        message: `This guard never acts: no run tries to enter "${name.text}" more than ${most === 1 ? "once" : `${most} times`}.`,
      };
    }
  },
};
