import { LocatedCount, type Node } from "../document/node.js";
import { verdictsOf } from "../machine/verdicts.js";
import { isOlderThan } from "../pack/spec-version.js";
import { endingFields, strayBudgets, type Workflow } from "../pack/workflow.js";
import type { GraphRule } from "./rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "./shared/describe-loop.js";

export const unboundedLoop: GraphRule = {
  id: "unbounded-loop",
  subject: "graph",
  summary: "Every loop has a guard or a budget that ends it.",
  severity: "warning",
  source: "RFC 0005, rule 2; RFC 0009, loop guards",
  *check(workflow, facts) {
    const isOlder = isOlderThan(workflow.spec, "1.4.0");
    const budget = budgetAdvice(workflow);
    const { unbounded } = verdictsOf(workflow, facts);
    for (const loop of unbounded) {
      const fault = loop.certain ? "never has to end" : "may never end";
      yield* findingWithWitness(workflow, loop, {
        message: describeLoop(workflow, facts, loop, fault),
        advice: isOlder
          ? "From spec 1.4 on, max_visits or engine.budget can end it."
          : `${guardAdvice(workflow, loop)}, or ${budget}.`,
        data: { states: stateNamesOf(workflow, loop.states) },
      });
    }
  },
};

/** A limit that is there, but out of place or in a misspelt budget, is put right rather than set again. */
function budgetAdvice({ engine }: Workflow): string {
  const strays = strayBudgets(engine);
  const limit = strays.find(({ key }) => endingFields.includes(key.text) && isLimit(key.value));
  if (limit !== undefined) return `move "${limit.key.text}" into engine.budget`;
  const misspelt = strays.find(({ key, kind }) => kind === "misspelt" && containsLimit(key.value));
  return misspelt === undefined || engine?.get("budget") !== undefined
    ? "set engine.budget.max_total_visits"
    : `rename "${misspelt.key.text}" to "budget"`;
}

function containsLimit(budget: Node | null): boolean {
  return budget?.kind === "mapping" && endingFields.some((name) => isLimit(budget.get(name)));
}

function isLimit(node: Node | null | undefined): boolean {
  return LocatedCount.of(node ?? undefined) !== undefined;
}
