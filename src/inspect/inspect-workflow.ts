import type { Facts } from "../machine/facts.js";
import type { Member } from "../pack/agents.js";
import type { Budget, State, Workflow } from "../pack/workflow.js";
import { inspectLoops } from "./inspect-loops.js";
import { inspectToolUse } from "./inspect-tool-use.js";
import type { BudgetInspection, Most, StateInspection, WorkflowInspection } from "./inspection.js";
import { most } from "./most.js";

export function inspectWorkflow(
  workflow: Workflow,
  facts: Facts,
  agents: readonly Member[],
): Omit<WorkflowInspection, "artifacts"> {
  const forEver = statesForEver(facts);
  const states = (workflow.states ?? []).map((state) => inspectState(state, facts, forEver));
  const { shortestComplete } = facts;
  return {
    version: workflow.version?.value ?? null,
    exact: facts.exact,
    entries: entriesOf(workflow, agents),
    ends: facts.machine.states.flatMap(({ name, ends }) => (ends ? name : [])),
    states,
    loops: inspectLoops(workflow, facts),
    worstCaseVisits: forEver.size > 0 ? "unbounded" : most(facts.worstCase),
    shortestComplete:
      shortestComplete === undefined
        ? null
        : { visits: shortestComplete.entries, run: shortestComplete.witness ?? null },
    budget: workflow.budget === undefined ? null : inspectBudget(workflow.budget, facts),
    toolUse: inspectToolUse(workflow, states),
  };
}

function entriesOf(
  { entry, stateNamed }: Workflow,
  agents: readonly Member[],
): WorkflowInspection["entries"] {
  const starts = [
    { state: entry?.text, agent: null },
    ...agents.map(({ name, state }) => ({ state: state?.text, agent: name.text })),
  ];
  return starts.flatMap(({ state, agent }) =>
    state === undefined || stateNamed(state) === undefined ? [] : [{ state, agent }],
  );
}

/** States that some run enters again and again: known also where not every run was explored. */
function statesForEver({ unboundedLoops }: Facts): ReadonlySet<string> {
  const laps = unboundedLoops.flatMap(({ certain, witness }) =>
    certain && witness?.loopFrom !== undefined ? witness.steps.slice(witness.loopFrom) : [],
  );
  return new Set(laps.map(({ to }) => to));
}

function inspectState(state: State, facts: Facts, forEver: ReadonlySet<string>): StateInspection {
  const entered = facts.entered.has(state.index);
  return {
    name: state.name.text,
    prompt: state.promptTask?.text ?? null,
    ends: facts.machine.states[state.index]?.ends === true,
    entered,
    maxVisits: state.maxVisits?.value ?? null,
    onMaxVisits: state.onMaxVisits?.text ?? null,
    worstCaseVisits: worstCaseOf(state, facts, forEver),
  };
}

function worstCaseOf({ index, name }: State, facts: Facts, forEver: ReadonlySet<string>): Most {
  if (!facts.entered.has(index)) return 0;
  return forEver.has(name.text) ? "unbounded" : most(facts.worstCaseOf(index));
}

function inspectBudget(budget: Budget, facts: Facts): BudgetInspection {
  return {
    maxTotalVisits: budget.maxTotalVisits?.value ?? null,
    maxToolCalls: budget.maxToolCalls?.value ?? null,
    maxWallTimeSec: budget.maxWallTimeSec?.value ?? null,
    verdict: verdictOf(budget.maxTotalVisits?.value, facts),
  };
}

function verdictOf(
  total: number | undefined,
  { worstCase, shortestComplete }: Facts,
): BudgetInspection["verdict"] {
  if (total === undefined || worstCase === undefined) return null;
  if (shortestComplete !== undefined && shortestComplete.entries > total) return "too-small";
  if (worstCase === Infinity) return "holds";
  return worstCase > total ? "may-cut" : "never-reached";
}
