import { runFaults } from "../machine/verdicts.js";
import { isOlderThan } from "../schema/spec-version.js";
import { strayBudgets } from "../pack/workflow.js";
import { listNames } from "../text/wording.js";
import type { GraphRule } from "./rule.js";
import { stateNamesOf } from "./shared/describe-loop.js";

const loopRules = ["no-terminal-state", "trapped-states", "unbounded-loop", "agent-turn-loop"] as const;

export const loopWithoutBudget: GraphRule = {
  id: "loop-without-budget",
  subject: "graph",
  summary: "A workflow with a loop has an `engine.budget` as its safety net.",
  severity: "info",
  source: "workflow guide, step 5b and checklist",
  defersTo: loopRules,
  *check(workflow, facts, _pack, { isOn }) {
    if (isOlderThan(workflow.spec, "1.4.0")) return;
    if (workflow.engine?.entry("budget") !== undefined && workflow.budget?.isEmpty !== true) return;
    // unknown-engine-key reports a misspelt budget.
    if (strayBudgets(workflow.engine).length > 0) return;
    if (facts.reentered.size === 0) return;
    const faults = runFaults(workflow, facts, isOn);
    if (loopRules.some((rule) => faults[rule].length > 0)) return;
    const names = stateNamesOf(workflow, facts.reentered);
    const isEmpty = workflow.budget?.isEmpty === true;
    yield {
      at: workflow.at,
      message: `A run can come back to ${listNames(names)}, and ${isEmpty ? "engine.budget is empty, so it stops no" : "there is no engine.budget to stop a"} runaway.`,
      advice: `Set ${isEmpty ? "a limit in it" : "one"} as a safety net.`,
      trace: facts.findReentry(facts.reentered),
      data: { states: names },
    };
  },
};
