import { lapOf } from "../diagnostic.js";
import { entryBounds } from "../machine/structural/entry-bounds.js";
import type { Facts, Loop } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { AgentMember } from "../pack/agents.js";
import type { Budget, State, Workflow } from "../pack/workflow.js";
import { addBounds } from "./add-most.js";
import { inspectGuard } from "./inspect-guard.js";
import { inspectLoops, runJson } from "./inspect-loops.js";
import { inspectToolUse } from "./inspect-tool-use.js";
import type { BudgetInspection, UpperBound, StateInspection, WorkflowInspection } from "./inspection.js";

/** How often runs enter states. */
type VisitCounts = Pick<Facts, "worstCase" | "worstCaseOf" | "weightedWorstCase" | "shortestComplete">;

export function inspectWorkflow(
  workflow: Workflow,
  facts: Facts,
  agents: readonly AgentMember[],
): Omit<WorkflowInspection, "artifacts"> {
  const clear = verdictsOf(workflow, facts).fullyResolved;
  const counts = clear ? facts : guardOnlyCounts(workflow, facts);
  const loops = findUnboundedLoops(workflow, facts);
  const forEver = statesRepeatedForever(loops);
  const states = workflow.states.map((state) => {
    const entered = facts.entered.has(state.index) || (clear ? false : null);
    const ends = facts.machine.states[state.index]?.ends === true;
    return inspectState(state, ends, entered, worstCaseVisitsOf(state, entered, counts, forEver));
  });
  const { worstCase, shortestComplete } = counts;
  const worstCaseVisits =
    forEver.size > 0 ? "unbounded" : (toUpperBound(worstCase) ?? (clear ? sumVisits(states) : null));
  return {
    version: workflow.version?.value ?? null,
    exact: facts.exact,
    clear,
    entries: entriesOf(workflow, agents),
    ends: facts.machine.states.flatMap(({ name, ends }) => (ends ? name : [])),
    states,
    loops: inspectLoops(workflow, facts, loops, clear),
    worstCaseVisits,
    shortestComplete:
      shortestComplete === undefined
        ? null
        : { visits: shortestComplete.entries, run: runJson(shortestComplete.witness) },
    budget: workflow.budget === undefined ? null : inspectBudget(workflow.budget, counts, worstCaseVisits),
    toolUse: inspectToolUse(workflow, states, counts),
  };
}

/** Whatever a run may meet, it enters a state no more often than its own guard allows, and one that ends it once. */
function guardOnlyCounts({ states }: Workflow, { machine }: Facts): VisitCounts {
  const ownMost = (index: number): number => {
    if (machine.states[index]?.ends === true) return 1;
    const guard = states[index] && inspectGuard(states[index]);
    return guard?.guardClear === true ? (guard.maxVisits ?? Infinity) : Infinity;
  };
  return { shortestComplete: undefined, ...entryBounds(machine, ownMost) };
}

/** No run makes more than the most of each state together. */
function sumVisits(states: readonly StateInspection[]): UpperBound {
  return states.map(({ worstCaseVisits }) => worstCaseVisits).reduce(addBounds, 0);
}

function entriesOf(
  { entry, stateNamed }: Workflow,
  agents: readonly AgentMember[],
): WorkflowInspection["entries"] {
  const starts = [
    { state: entry?.text, agent: null },
    ...agents.map(({ name, state }) => ({ state: state?.text, agent: name.text })),
  ];
  return starts.flatMap(({ state, agent }) =>
    state === undefined || stateNamed(state) === undefined ? [] : [{ state, agent }],
  );
}

/** The loops that no guard ends. Nothing is certain of a run that passes a state of which a part could not be read. */
function findUnboundedLoops({ states }: Workflow, facts: Facts): readonly Loop[] {
  const unclear = new Set(states.flatMap((state) => (state.isUnclear ? state.name.text : [])));
  return facts.unboundedLoops.map((loop) =>
    loop.witness?.steps.some(({ from }) => unclear.has(from)) === true ? { ...loop, certain: false } : loop,
  );
}

/** States that some run enters again and again: known also where not every run was explored. */
function statesRepeatedForever(loops: readonly Loop[]): ReadonlySet<string> {
  const laps = loops.flatMap(({ certain, witness }) => (certain ? (lapOf(witness) ?? []) : []));
  return new Set(laps.map(({ to }) => to));
}

function inspectState(
  state: State,
  ends: boolean,
  entered: boolean | null,
  worstCaseVisits: UpperBound,
): StateInspection {
  const prompt = state.promptTask?.text ?? null;
  return { name: state.name.text, prompt, ends, entered, ...inspectGuard(state), worstCaseVisits };
}

function worstCaseVisitsOf(
  { index, name }: State,
  entered: boolean | null,
  counts: VisitCounts,
  forEver: ReadonlySet<string>,
): UpperBound {
  if (entered === false) return 0;
  return forEver.has(name.text) ? "unbounded" : toUpperBound(counts.worstCaseOf(index));
}

/** JSON knows no infinity. */
function toUpperBound(number: number | undefined): UpperBound {
  if (number === undefined) return null;
  return number === Infinity ? "unbounded" : number;
}

function inspectBudget(budget: Budget, counts: VisitCounts, worstCaseVisits: UpperBound): BudgetInspection {
  return {
    maxTotalVisits: budget.maxTotalVisits?.value ?? null,
    maxToolCalls: budget.maxToolCalls?.value ?? null,
    maxWallTimeSec: budget.maxWallTimeSec?.value ?? null,
    verdict: budgetVerdict(budget.maxTotalVisits?.value, counts, worstCaseVisits),
  };
}

function budgetVerdict(
  total: number | undefined,
  { worstCase, shortestComplete }: VisitCounts,
  worstCaseVisits: UpperBound,
): BudgetInspection["verdict"] {
  if (total === undefined) return null;
  if (shortestComplete !== undefined && shortestComplete.entries > total) return "too-small";
  if (typeof worstCaseVisits === "number" && worstCaseVisits <= total) return "never-reached";
  if (worstCase === undefined) return null;
  return worstCase === Infinity ? "holds" : "may-cut";
}
