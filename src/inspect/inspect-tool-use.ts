import type { Prompt } from "../pack/prompt.js";
import type { Workflow } from "../pack/workflow.js";
import type { Most, StateInspection, ToolUseInspection } from "./inspection.js";

/** How often models may call tools on one run, where `tool_policy` says how often they may in one visit. */
export function inspectToolUse(workflow: Workflow, inspected: readonly StateInspection[]): ToolUseInspection {
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
  return {
    states,
    worstCaseRounds: within(calls, states.map(({ worstCaseRounds }) => worstCaseRounds).reduce(sum, 0)),
  };
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
function within(calls: number, most: Most): Most {
  if (typeof most === "number") return Math.min(most, calls);
  return calls === Infinity ? most : calls;
}

function sum(a: Most, b: Most): Most {
  if (a === "unbounded" || b === "unbounded") return "unbounded";
  return a === null || b === null ? null : a + b;
}
