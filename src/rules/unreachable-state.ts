import { verdictsOf } from "../machine/verdicts.js";
import type { WorkflowRule } from "./rule.js";

export const unreachableState: WorkflowRule = {
  id: "unreachable-state",
  subject: "workflow",
  summary: "Every state can be entered by some run.",
  severity: "warning",
  source: "RFC 0005, question 3; workflow guide, checklist",
  *check(workflow, facts) {
    if (!verdictsOf(workflow, facts).sound) return;
    const starts = workflow.roots.map(({ state }) => `"${state.name.text}"`).join(" or ");
    for (const { index, name } of workflow.states ?? []) {
      if (facts.entered.has(index)) continue;
      yield {
        at: name,
        message: `No run from ${starts} enters "${name.text}". Lead an event to it, or remove it.`,
      };
    }
  },
};
