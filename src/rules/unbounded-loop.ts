import { Whole } from "../document/spelled-values.js";
import { verdictsOf } from "../machine/verdicts.js";
import { strayBudgets } from "../meant/stray-budget.js";
import { isOlderThan } from "../pack/spec.js";
import type { Workflow } from "../pack/workflow.js";
import type { WorkflowRule } from "./rule.js";
import { lostStateRules } from "./shared/held-back.js";
import { describeLoop, namesOf, witnessed } from "./shared/loop-words.js";

export const unboundedLoop: WorkflowRule = {
  id: "unbounded-loop",
  subject: "workflow",
  summary: "Every loop has a guard or a budget that ends it.",
  severity: "warning",
  source: "RFC 0005, rule 2; RFC 0009, loop guards",
  heldBackBy: [...lostStateRules, "newer-field", "trapped-states"],
  *check(workflow, facts) {
    const advice = isOlderThan(workflow.spec, "1.4.0")
      ? "From spec 1.4 on, max_visits or engine.budget can end it."
      : `Give one of its states a max_visits that leads out, or ${budgetAdvice(workflow)}.`;
    for (const loop of verdictsOf(workflow, facts).unbounded) {
      const fault = loop.certain ? "never has to end" : "may never end";
      yield* witnessed(workflow, loop, {
        message: describeLoop(workflow, facts, loop, fault),
        advice,
        data: { states: namesOf(workflow, loop.states) },
      });
    }
  },
};

const endsEveryRun: ReadonlySet<string> = new Set(["max_total_visits", "max_wall_time_sec"]);

/** A limit that is there, but out of place, is moved rather than set again. */
function budgetAdvice({ engine }: Workflow): string {
  const stray = strayBudgets(engine).find(
    ({ key }) => endsEveryRun.has(key.text) && (Whole.of(engine?.get(key.text))?.value ?? 0) > 0,
  );
  return stray === undefined
    ? "set engine.budget.max_total_visits"
    : `move "${stray.key.text}" into engine.budget`;
}
