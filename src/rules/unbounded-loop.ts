import { runFaults } from "../machine/verdicts.js";
import { isOlderThan } from "../schema/spec-version.js";
import type { GraphRule } from "./rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "./shared/describe-loop.js";

export const unboundedLoop: GraphRule = {
  id: "unbounded-loop",
  subject: "graph",
  summary: "Every loop has a guard or a budget that ends it.",
  severity: "warning",
  source: "RFC 0005, rule 2; RFC 0009, loop guards",
  defersTo: ["no-terminal-state", "trapped-states", "agent-turn-loop"],
  *check(workflow, facts, _pack, { isOn }) {
    const isOlder = isOlderThan(workflow.spec, "1.4.0");
    for (const loop of runFaults(workflow, facts, isOn)["unbounded-loop"]) {
      const fault = `${loop.certain ? "can" : "may"} repeat forever`;
      yield* findingWithWitness(workflow, loop, {
        message: describeLoop(workflow, facts, loop, fault),
        advice: isOlder
          ? "From spec 1.4 on, max_visits or engine.budget can end it."
          : `${guardAdvice(workflow, loop)}, or set engine.budget.max_total_visits.`,
        data: { states: stateNamesOf(workflow, loop.states) },
      });
    }
  },
};
