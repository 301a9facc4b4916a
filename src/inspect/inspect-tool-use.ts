import type { Prompt } from "../pack/prompt.js";
import type { Workflow } from "../pack/workflow.js";
import type { Most, StateInspection, ToolUseInspection } from "./inspection.js";

/** How often models may call tools on one run, where `tool_policy` says how often they may in one visit. */
export function inspectToolUse(workflow: Workflow, inspected: readonly StateInspection[]): ToolUseInspection {
  const total = workflow.budget?.maxTotalVisits?.value ?? Infinity;
  const states = (workflow.states ?? []).flatMap(({ prompt, name, index }) => {
    const state = inspected[index];
    if (prompt === undefined || state === undefined || state.entered === false || !mayCallTools(prompt))
      return [];
    const { toolPolicy: policy } = prompt;
    const maxRounds = policy?.maxRounds?.value ?? null;
    const unlimited = policy?.maxRoundsUnclear === true ? null : "unbounded";
    return [
      {
        state: name.text,
        prompt: prompt.key.text,
        maxRounds,
        maxCallsPerTurn: policy?.maxCallsPerTurn?.value ?? null,
        worstCaseRounds: maxRounds === null ? unlimited : rounds(maxRounds, state.worstCaseVisits, total),
      } as const,
    ];
  });
  return {
    states,
    worstCaseRounds: states.map(({ worstCaseRounds }) => worstCaseRounds).reduce<Most>(sum, 0),
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

function sum(a: Most, b: Most): Most {
  if (a === "unbounded" || b === "unbounded") return "unbounded";
  return a === null || b === null ? null : a + b;
}
