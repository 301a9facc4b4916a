import { type Facts, runFaults, verdictsOf, type WitnessedStates } from "../../machine/facts.js";
import { type Budget, endsEveryRun, strayBudgets } from "../../pack/workflow.js";
import { isOlderThan } from "../../schema/spec-version.js";
import { listNames, pluralize } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "../shared/describe-loop.js";

const loopRules = ["no-terminal-state", "trapped-states", "unbounded-loop", "agent-turn-loop"] as const;

export const budgetRules = rulesOf("graph", {
  "budget-coherence": {
    summary: "`max_total_visits` leaves room for every `max_visits`.",
    severity: "warning",
    fix: "proved",
    source: "RFC 0009, rule 5",
    *check({ workflow, facts }) {
      const { states, budget } = workflow;
      const { entered, certainlyEntered } = facts;
      const total = budget?.maxTotalVisits;
      if (total === undefined) return;
      const guarded = states.flatMap(({ index, name, maxVisits: at }) =>
        at !== undefined && entered.has(index) ? [{ index, name, at }] : [],
      );
      const certain = guarded.filter(({ index }) => certainlyEntered.has(index));
      const sum = certain.reduce((visits, { at }) => visits + at.value, 0);
      if (sum <= total.value) return;
      const least = certain.length < guarded.length ? "at least " : "";
      // One budget should satisfy budget-too-small as well.
      const isKnown = verdictsOf(workflow, facts).fullyResolved;
      const shortest = isKnown ? (facts.shortestComplete?.entries ?? 0) : 0;
      // On exclusive branches, or in agents apart, not every max_visits can be used up in one run.
      const most = facts.exact && isKnown ? (facts.worstCase ?? Infinity) : Infinity;
      const consequence = most < sum ? `; no run needs more than ${most}` : ": no run can use them all up";
      // Each max_visits is at least 1.
      const canLower = Math.max(shortest, certain.length) <= total.value;
      yield {
        at: total,
        message: `The budget ends a run after ${pluralize(total.value, "visit")}, but the max_visits of its states add up to ${least}${sum}${consequence}.`,
        advice: `Raise it to at least ${Math.max(shortest, sum)}${canLower ? ", or lower the max_visits of some states" : ""}.`,
        related: certain.map(({ name, at }) => ({
          at,
          message: `"${name.text}" may be entered this many times`,
        })),
        data: { sum, ...(most < sum && { worstCase: most }) },
      };
    },
  },
  "budget-too-small": {
    summary: "`max_total_visits` allows at least the shortest complete run.",
    severity: "warning",
    fix: "proved",
    source: "RFC 0009, execution budgets",
    *check({ workflow, facts }) {
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
  },
  "loop-without-budget": {
    summary: "A workflow with a loop has an `engine.budget` as its safety net.",
    severity: "info",
    fix: "proved",
    source: "workflow guide, step 5b and checklist",
    defersTo: loopRules,
    *check({ workflow, facts, isOn }) {
      if (isOlderThan(workflow.spec, "1.4.0")) return;
      if (workflow.hasUnclearBudget) return;
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
  },
  "loop-held-by-budget-only": {
    summary: "A guard ends every loop; the budget is only the safety net.",
    severity: "info",
    fix: "proved",
    source: "RFC 0009, loop guards and execution budgets",
    defersTo: ["no-terminal-state", "trapped-states", "agent-turn-loop"],
    *check({ workflow, facts, isOn }) {
      for (const loop of runFaults(workflow, facts, isOn)["loop-held-by-budget-only"]) {
        const fault = `${loop.certain ? "is" : "may be"} ended only by the budget`;
        yield* findingWithWitness(workflow, loop, {
          message: describeLoop(workflow, facts, loop, fault),
          advice: `${guardAdvice(workflow, loop)}.`,
        });
      }
    },
  },
  "unguarded-reentry": {
    summary: "Every state that a run can enter twice has a `max_visits`.",
    severity: "info",
    fix: "proved",
    source: "workflow guide, checklist",
    defersTo: [
      "no-terminal-state",
      "trapped-states",
      "unbounded-loop",
      "loop-held-by-budget-only",
      "agent-turn-loop",
    ],
    *check({ workflow, facts, isOn }) {
      if (isOlderThan(workflow.spec, "1.4.0") || endsEveryRun(workflow) === undefined) return;
      const { fullyResolved } = verdictsOf(workflow, facts);
      const condition = budgetMayEndFirst(workflow.budget, facts) ? " if the budget allows it" : "";
      const faults = runFaults(workflow, facts, isOn);
      const loops: readonly WitnessedStates[] = [
        ...faults["no-terminal-state"].flatMap((found) => found.loops),
        ...faults["trapped-states"],
        ...faults["unbounded-loop"],
        ...faults["loop-held-by-budget-only"],
        ...(faults["agent-turn-loop"].length > 0 ? facts.unboundedLoops : []),
      ];
      const reported = new Set(loops.flatMap(({ states }) => states));
      for (const { index, name, maxVisits } of workflow.states) {
        if (maxVisits !== undefined || !facts.reentered.has(index) || reported.has(index)) continue;
        const often = fullyResolved ? visitLimitText(facts.worstCaseOf(index), condition) : "more than once";
        yield {
          at: name,
          message: `A run can enter "${name.text}" ${often}: it has no max_visits.`,
          trace: facts.findReentry([index]),
        };
      }
    },
  },
});

function budgetMayEndFirst(budget: Budget | undefined, { worstCase = Infinity }: Facts): boolean {
  return budget?.maxWallTimeSec !== undefined || worstCase > (budget?.maxTotalVisits?.value ?? Infinity);
}

/** Valid only if every name resolves: runs may continue behind an unknown one. */
function visitLimitText(most: number | undefined, condition: string): string {
  const often = most === undefined ? "more than once" : `up to ${most} times`;
  return `${often}${condition}, limited only by the guards of other states`;
}
