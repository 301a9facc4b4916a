import { runFaults } from "../machine/verdicts.js";
import { endsEveryRun } from "../pack/workflow.js";
import type { GraphRule } from "./rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "./shared/describe-loop.js";

export const agentTurnLoop: GraphRule = {
  id: "agent-turn-loop",
  subject: "graph",
  summary: "In every loop that no guard ends, the user gets the turn.",
  severity: "warning",
  since: "1.7.0",
  source: "RFC 0014, rule 4",
  defersTo: ["no-terminal-state", "trapped-states"],
  *check(workflow, facts, _pack, { isOn }) {
    const inOneTurn = endsEveryRun(workflow.budget)
      ? "within one turn, until the budget ends it"
      : "forever within one turn";
    for (const loop of runFaults(workflow, facts, isOn)["agent-turn-loop"]) {
      const fault = `${loop.certain ? "can" : "may"} repeat ${inOneTurn}`;
      yield* findingWithWitness(workflow, loop, {
        message: describeLoop(workflow, facts, loop, fault),
        advice: `${guardAdvice(workflow, loop)}, or let the user have the turn on every lap with control: user.`,
        data: { states: stateNamesOf(workflow, loop.states) },
      });
    }
  },
};
