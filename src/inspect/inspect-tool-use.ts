import type { Facts } from "../machine/facts.js";
import type { Prompt } from "../pack/prompt.js";
import type { Workflow } from "../pack/workflow.js";
import { addBounds } from "./add-most.js";
import type { UpperBound, StateInspection, ToolUseInspection } from "./inspection.js";

/** How often models may call tools on one run of one turn per visit: `tool_policy` says how often they may in a turn. */
export function inspectToolUse(
  workflow: Workflow,
  inspected: readonly StateInspection[],
  counts: Pick<Facts, "worstCaseOf" | "weightedWorstCase">,
): ToolUseInspection {
  const total = workflow.budget?.maxTotalVisits?.value;
  const calls = workflow.budget?.maxToolCalls?.value ?? Infinity;
  const callers = workflow.states.flatMap(({ prompt, name, index }) => {
    const state = inspected[index];
    if (state === undefined || state.entered === false || !mayCallTools(prompt)) return [];
    return [{ prompt, name, index, visits: state.worstCaseVisits }];
  });
  const roundsOf = new Map(
    callers.map(({ prompt, index }) => [index, prompt?.toolPolicy?.maxRounds?.value ?? Infinity]),
  );
  // No run need make the most visits of every state: they may lie on different ways, or share a budget.
  const ofOneRun = counts.weightedWorstCase((index) => roundsOf.get(index) ?? 0, total ?? Infinity);
  const states = callers.map(({ prompt, name, index, visits }) => {
    const policy = prompt?.toolPolicy;
    const heeded = total === undefined ? visits : (counts.worstCaseOf(index, total) ?? null);
    return {
      state: name.text,
      prompt: prompt?.key.text ?? null,
      maxRounds: policy?.maxRounds?.value ?? null,
      maxCallsPerTurn: policy?.maxCallsPerTurn?.value ?? null,
      worstCaseRounds: capBound(calls, roundsOnOneRun(prompt, heeded)),
    };
  });
  const isKnown = ofOneRun !== undefined || total === undefined;
  const added = states.map(({ worstCaseRounds }) => worstCaseRounds).reduce(addBounds, isKnown ? 0 : null);
  return { states, worstCaseRounds: capBound(Math.min(calls, ofOneRun ?? Infinity), added) };
}

/** A prompt that is not known may do anything. */
function mayCallTools(prompt: Prompt | undefined): boolean {
  return prompt === undefined || (prompt.tools.length > 0 && prompt.toolPolicy?.toolChoice?.text !== "none");
}

function roundsOnOneRun(prompt: Prompt | undefined, visits: UpperBound): UpperBound {
  if (visits === 0) return 0;
  if (prompt === undefined) return null;
  const ofOneTurn = prompt.toolPolicy?.maxRounds?.value;
  if (ofOneTurn === undefined) return prompt.toolPolicy?.maxRoundsUnclear === true ? null : "unbounded";
  return typeof visits === "number" ? ofOneTurn * visits : visits;
}

/** A round calls a tool at least once: there are no more rounds than the budget allows calls. */
function capBound(limit: number, most: UpperBound): UpperBound {
  if (typeof most === "number") return Math.min(most, limit);
  return limit === Infinity ? most : limit;
}
