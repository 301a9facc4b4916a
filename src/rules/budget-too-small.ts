import { verdictsOf } from "../machine/verdicts.js";
import { pluralize } from "../text/wording.js";
import type { GraphRule } from "./rule.js";

export const budgetTooSmall: GraphRule = {
  id: "budget-too-small",
  subject: "graph",
  summary: "`max_total_visits` allows at least the shortest complete run.",
  severity: "warning",
  source: "RFC 0009, execution budgets",
  *check(workflow, facts) {
    const total = workflow.budget?.maxTotalVisits;
    const shortest = total && facts.shortestComplete;
    if (total === undefined || shortest === undefined || shortest.entries <= total.value) return;
    if (!verdictsOf(workflow, facts).fullyResolved) return;
    yield {
      at: total,
      message: `No run can complete within this budget: the shortest makes ${pluralize(shortest.entries, "visit")}, the budget allows ${total.value}.`,
      advice: `Raise it to at least ${shortest.entries}.`,
      trace: shortest.witness,
      data: { needed: shortest.entries },
    };
  },
};
