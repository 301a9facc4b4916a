import type { Facts } from "../machine/facts.js";
import type { Prompt } from "../pack/prompt.js";
import type { Workflow } from "../pack/workflow.js";
import type { Most, StateInspection, ToolUseInspection } from "./inspection.js";

/** How often models may call tools on one run, where `tool_policy` says how often they may in one visit. */
export function inspectToolUse(
  workflow: Workflow,
  inspected: readonly StateInspection[],
  counts: Pick<Facts, "worstCaseWeighing">,
): ToolUseInspection {
  const total = workflow.budget?.maxTotalVisits?.value ?? Infinity;
  const calls = workflow.budget?.maxToolCalls?.value ?? Infinity;
  const states = (workflow.states ?? []).flatMap(({ prompt, name, index }) => {
    const state = inspected[index];
    if (prompt === undefined || state === undefined || state.entered === false || !mayCallTools(prompt))
      return [];
    const { toolPolicy: policy } = prompt;
    const maxRounds = policy?.maxRounds?.value ?? null;
    const unlimited = policy?.maxRoundsUnclear === true ? null : "unbounded";
    const most = maxRounds === null ? unlimited : rounds(maxRounds, state.worstCaseVisits, total);
    return [
      {
        state: name.text,
        prompt: prompt.key.text,
        maxRounds,
        maxCallsPerTurn: policy?.maxCallsPerTurn?.value ?? null,
        worstCaseRounds: within(calls, most),
      } as const,
    ];
  });
  const added = states.map(({ worstCaseRounds }) => worstCaseRounds).reduce(sum, 0);
  const roundsOf = new Map(states.map(({ state, maxRounds }) => [state, maxRounds ?? Infinity]));
  const ofVisits = counts.worstCaseWeighing((index) => roundsOf.get(inspected[index]?.name ?? "") ?? 0);
  const ofOneVisit = [...roundsOf.values()].reduce((a, b) => Math.max(a, b), 0);
  const ofBudget = ofOneVisit === 0 ? 0 : ofOneVisit * total;
  // No run need make the most visits of every state: they may lie on different ways, or share a budget.
  return { states, worstCaseRounds: within(Math.min(calls, ofVisits ?? Infinity, ofBudget), added) };
}

function mayCallTools({ tools, toolPolicy }: Prompt): boolean {
  return tools.length > 0 && toolPolicy?.toolChoice?.text !== "none";
}

/** The budget bounds the visits of every state, too. */
function rounds(ofOneVisit: number, visits: Most, total: number): Most {
  const most = Math.min(visits === "unbounded" || visits === null ? Infinity : visits, total);
  if (most !== Infinity) return ofOneVisit * most;
  return visits;
}

/** A round calls a tool at least once: there are no more rounds than the budget allows calls. */
function within(limit: number, most: Most): Most {
  if (typeof most === "number") return Math.min(most, limit);
  return limit === Infinity ? most : limit;
}

function sum(a: Most, b: Most): Most {
  if (a === "unbounded" || b === "unbounded") return "unbounded";
  return a === null || b === null ? null : a + b;
}
