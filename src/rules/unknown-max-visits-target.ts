import { didYouMean } from "../nearest-name.js";
import type { WorkflowRule } from "./rule.js";

export const unknownMaxVisitsTarget: WorkflowRule = {
  id: "unknown-max-visits-target",
  subject: "workflow",
  summary: "Every `on_max_visits` names a state of the workflow.",
  severity: "error",
  source: "RFC 0009, rule 2",
  *check({ states = [], stateNamed, stateNames }) {
    for (const { name, onMaxVisits } of states) {
      if (onMaxVisits === undefined || stateNamed(onMaxVisits.text) !== undefined) continue;
      const hint = didYouMean(onMaxVisits.text, stateNames());
      yield {
        at: onMaxVisits,
        message: `Once spent, state "${name.text}" hands over to "${onMaxVisits.text}", which is not a state.${hint}`,
      };
    }
  },
};
