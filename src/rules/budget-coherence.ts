import { verdictsOf } from "../machine/verdicts.js";
import { pluralize } from "../text/wording.js";
import type { GraphRule } from "./rule.js";

export const budgetCoherence: GraphRule = {
  id: "budget-coherence",
  subject: "graph",
  summary: "`max_total_visits` leaves room for every `max_visits`.",
  severity: "warning",
  source: "RFC 0009, rule 5",
  *check(workflow, facts) {
    const { states, budget } = workflow;
    const { entered, certainlyEntered } = facts;
    const total = budget?.maxTotalVisits;
    if (total === undefined) return;
    const guarded = states.filter((state) => state.maxVisits !== undefined && entered.has(state.index));
    const certain = guarded.filter(({ index }) => certainlyEntered.has(index));
    const sum = certain.reduce((visits, state) => visits + (state.maxVisits?.value ?? 0), 0);
    if (sum <= total.value) return;
    const least = certain.length < guarded.length ? "at least " : "";
    // One budget should satisfy budget-too-small as well.
    const shortest = verdictsOf(workflow, facts).fullyResolved ? (facts.shortestComplete?.entries ?? 0) : 0;
    // Each max_visits is at least 1.
    const canLower = Math.max(shortest, certain.length) <= total.value;
    yield {
      at: total,
      message: `The budget ends a run after ${pluralize(total.value, "visit")}, but the max_visits of its states add up to ${least}${sum}: no run can use them all up.`,
      advice: `Raise it to at least ${Math.max(shortest, sum)}${canLower ? ", or lower the max_visits of some states" : ""}.`,
      related: certain.flatMap(({ name, maxVisits }) =>
        maxVisits === undefined
          ? []
          : [{ at: maxVisits, message: `"${name.text}" may be entered this many times` }],
      ),
      data: { sum },
    };
  },
};
