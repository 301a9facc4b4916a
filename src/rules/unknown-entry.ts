import type { WorkflowRule } from "./rule.js";
import { stateCorrector } from "./shared/name-corrections.js";

export const unknownEntry: WorkflowRule = {
  id: "unknown-entry",
  subject: "workflow",
  summary: "The entry of the workflow is one of its states.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0005, rule 1",
  *check(workflow, _facts, pack) {
    const { entry, isUnknownState } = workflow;
    if (entry === undefined || !isUnknownState(entry.text)) return;
    const correct = stateCorrector(pack, workflow);
    yield {
      at: entry,
      message: `The workflow starts at "${entry.text}", which is not a state.`,
      ...correct(entry),
    };
  },
};
