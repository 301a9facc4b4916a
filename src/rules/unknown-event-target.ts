import type { WorkflowRule } from "./rule.js";
import { stateCorrector } from "./shared/name-corrections.js";

export const unknownEventTarget: WorkflowRule = {
  id: "unknown-event-target",
  subject: "workflow",
  summary: "Every event leads to a state of the workflow.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0005, rule 2",
  *check(workflow, _facts, pack) {
    const { clearStates, isUnknownState } = workflow;
    const correct = stateCorrector(pack, workflow);
    for (const state of clearStates) {
      for (const { event, target } of state.transitions) {
        if (target === undefined || !isUnknownState(target.text)) continue;
        yield {
          at: target,
          wants: "a state",
          message: `State "${state.name.text}" sends ${event.text} to "${target.text}", which is not a state.`,
          ...correct(target),
        };
      }
    }
  },
};
