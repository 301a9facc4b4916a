import type { WorkflowRule } from "./rule.js";
import { removalFix } from "./shared/removal-fix.js";

export const maxVisitsTargetUnused: WorkflowRule = {
  id: "max-visits-target-unused",
  subject: "workflow",
  summary: "A state with `on_max_visits` also has a `max_visits`.",
  severity: "warning",
  fix: "safe",
  source: "RFC 0009, loop guards",
  *check(workflow, facts, { document }) {
    for (const state of workflow.states) {
      const { name, maxVisits, onMaxVisits, unclear } = state;
      if (onMaxVisits === undefined || maxVisits !== undefined || unclear.has("max_visits")) continue;
      yield {
        at: onMaxVisits,
        message: `State "${name.text}" has an on_max_visits but no max_visits, so it is never used.`,
        advice: "Add max_visits, or remove it.",
        ...removalFix(document, state, { name: "on_max_visits", targets: [onMaxVisits] }, workflow, facts),
      };
    }
  },
};
