import { verdictsOf } from "../machine/verdicts.js";
import type { GraphRule } from "./rule.js";
import { terminalMarker } from "./shared/describe-loop.js";

export const noTerminalState: GraphRule = {
  id: "no-terminal-state",
  subject: "graph",
  summary: "At least one state ends the run.",
  severity: "warning",
  source: "workflow guide, checklist",
  *check(workflow, facts) {
    if (!verdictsOf(workflow, facts).hasNoEnd) return;
    yield {
      at: workflow.statesAt,
      message: "No state ends the run: every one has events that lead on.",
      advice: `Give the state where runs should end ${terminalMarker(workflow)} in place of its events, or add such a state.`,
    };
  },
};
