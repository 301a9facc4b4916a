import { stoppingGuards } from "../machine/spent-guards.js";
import { runFaults } from "../machine/verdicts.js";
import { endsEveryRun } from "../pack/workflow.js";
import { listNames } from "../text/wording.js";
import type { GraphRule } from "./rule.js";
import { findingWithWitness, stateNamesOf } from "./shared/describe-loop.js";

export const neverCompletes: GraphRule = {
  id: "never-completes",
  subject: "graph",
  summary: "From every state that can be entered, a run can complete.",
  severity: "warning",
  source: "RFC 0009, terminal states; workflow guide, checklist",
  defersTo: ["no-terminal-state"],
  *check(workflow, facts, _pack, { isOn }) {
    const [found] = runFaults(workflow, facts, isOn)["never-completes"];
    if (found === undefined) return;
    const names = stateNamesOf(workflow, found.states);
    const guards = stateNamesOf(workflow, stoppingGuards(facts, found.states));
    const guard = guards.length === 0 ? "a spent max_visits" : `the max_visits of ${listNames(guards)}`;
    const budget = endsEveryRun(workflow.budget) ? " or the budget" : "";
    yield* findingWithWitness(workflow, found, {
      message: `From ${listNames(names)} no run completes: it can only be stopped by ${guard}${budget}.`,
      advice: adviceFor(guards),
      data: { states: names },
    });
  },
};

function adviceFor(guards: readonly string[]): string {
  if (guards.length === 0)
    return "Add an event, or an on_max_visits, that leads to a state that ends the run.";
  const [each, events] = guards.length === 1 ? ["", "an event that does"] : ["each of ", "events that do"];
  return `Give ${each}${listNames(guards)} an on_max_visits that leads to a state that ends the run, or add ${events}.`;
}
