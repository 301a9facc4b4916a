import { verdictsOf } from "../machine/verdicts.js";
import { endMark } from "./loop-words.js";
import { lostStates } from "./held-back.js";
import type { WorkflowRule } from "./rule.js";

export const noTerminalState: WorkflowRule = {
  id: "no-terminal-state",
  subject: "workflow",
  summary: "At least one state ends the run.",
  severity: "warning",
  source: "workflow guide, checklist",
  heldBackBy: lostStates,
  *check(workflow, facts) {
    if (!verdictsOf(workflow, facts).endless) return;
    yield {
      at: workflow.statesAt,
      message: "No state ends the run: every one has events that lead on.",
      advice: `Give the last one ${endMark(workflow)}.`,
    };
  },
};
