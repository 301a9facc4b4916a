import { verdictsOf } from "../machine/verdicts.js";
import { isOlderThan } from "../pack/spec.js";
import { strayBudgets } from "../meant/stray-budget.js";
import { listNames } from "../words/wording.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";
import { namesOf, shownBy } from "./shared/loop-words.js";

export const loopWithoutBudget: WorkflowRule = {
  id: "loop-without-budget",
  subject: "workflow",
  summary: "A workflow with a loop has an `engine.budget` as its safety net.",
  severity: "info",
  source: "workflow guide, step 5b and checklist",
  heldBackBy: [...lostStateRules, "unbounded-loop", "unknown-engine-key"],
  *check(workflow, facts) {
    if (isOlderThan(workflow.spec, "1.4.0")) return;
    if (workflow.budgetIsUnclear || workflow.budgetIsMisplaced) return;
    if (workflow.engine?.entry("budget") !== undefined && workflow.budget?.isEmpty !== true) return;
    // A budget under another name is a typo with a rule of its own.
    if (strayBudgets(workflow.engine).length > 0) return;
    const { unbounded, trapped, rounds } = verdictsOf(workflow, facts);
    if (rounds.reentered.size === 0) return;
    if (unbounded.length > 0 || trapped.length > 0) return;
    const names = namesOf(workflow, rounds.reentered);
    const isEmpty = workflow.budget?.isEmpty === true;
    yield {
      at: workflow.at,
      message: `A run can come back to ${listNames(names)}, and ${isEmpty ? "engine.budget is empty, so that it catches no" : "there is no engine.budget to catch a"} runaway.`,
      advice: `Set ${isEmpty ? "a limit in it" : "one"} as a safety net.`,
      ...shownBy(rounds.reentry(rounds.reentered)),
      data: { states: names },
    };
  },
};
