import type { WorkflowRule } from "./rule.js";
import { stateCorrector } from "./shared/name-corrections.js";

export const unknownMaxVisitsTarget: WorkflowRule = {
  id: "unknown-max-visits-target",
  subject: "workflow",
  summary: "Every `on_max_visits` names a state of the workflow.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0009, rule 2",
  *check(workflow, _facts, pack) {
    const { clearStates, isUnknownState } = workflow;
    const correct = stateCorrector(pack, workflow);
    for (const { name, onMaxVisits } of clearStates) {
      if (onMaxVisits === undefined || !isUnknownState(onMaxVisits.text)) continue;
      yield {
        at: onMaxVisits,
        wants: "a state",
        message: `The on_max_visits of state "${name.text}" is "${onMaxVisits.text}", which is not a state.`,
        // Redirecting to the state itself would be a cycle.
        ...correct(onMaxVisits, name.text),
      };
    }
  },
};
