import { runFaults } from "../machine/verdicts.js";
import { endsEveryRun } from "../pack/workflow.js";
import type { GraphRule } from "./rule.js";
import { lapText, shownLap, stateNamesOf, terminalMarker } from "./shared/describe-loop.js";

export const noTerminalState: GraphRule = {
  id: "no-terminal-state",
  subject: "graph",
  summary: "At least one state ends the run.",
  severity: "warning",
  source: "workflow guide, checklist",
  *check(workflow, facts, _pack, { isOn }) {
    for (const { loops } of runFaults(workflow, facts, isOn)["no-terminal-state"]) {
      const [loop] = loops;
      const lap = loop && shownLap(loop);
      const until = endsEveryRun(workflow.budget) ? "until the budget ends them" : "forever";
      yield {
        at: workflow.statesAt,
        message: "No state ends the run: every one has events that lead on.",
        advice: [
          ...(lap === undefined ? [] : [`Runs can loop ${until}: ${lapText(lap)}.`]),
          `Give the state where runs should end ${terminalMarker(workflow)} in place of its events, or add such a state.`,
        ].join(" "),
        ...(loop !== undefined && {
          trace: loop.witness,
          data: { states: stateNamesOf(workflow, loop.states) },
        }),
      };
    }
  },
};
