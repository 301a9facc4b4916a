import { lapOf, type Trace } from "../diagnostic.js";
import type { Facts, Loop } from "../machine/facts.js";
import { cyclicStateGroups } from "../machine/laps.js";
import { entryBounds } from "../machine/structural-facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { AgentMember } from "../pack/agents.js";
import type { Prompt } from "../pack/prompt.js";
import { type Budget, endsEveryRun, type State, type Workflow } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { traceJson } from "../text/format-trace.js";
import {
  addBounds,
  type BudgetInspection,
  type GuardInspection,
  type LoopInspection,
  type StateInspection,
  type ToolUseInspection,
  type UpperBound,
  type WorkflowInspection,
} from "./inspection.js";

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

function inspectGuard({ maxVisits, onMaxVisits, isUnclear }: State): GuardInspection {
  return {
    maxVisits: maxVisits?.value ?? null,
    onMaxVisits: onMaxVisits?.text ?? null,
    guardClear: !isUnclear,
  };
}

/** The parts of the workflow in which runs can go round, and what ends that. */
function inspectLoops(
  workflow: Workflow,
  facts: Facts,
  unboundedLoops: readonly Loop[],
  clear: boolean,
): readonly LoopInspection[] {
  const parts = cyclicStateGroups(facts);
  const partOf = new Map(parts.flatMap((members) => members.map((state) => [state, members] as const)));
  const unbounded = new Map<readonly number[] | undefined, Loop[]>();
  for (const loop of unboundedLoops) appendTo(unbounded, partOf.get(loop.states[0] ?? -1), loop);
  return parts.map((members) => {
    const ways = unbounded.get(members) ?? [];
    const isKnown = ways.length === 0 ? clear : ways.some(({ certain }) => certain);
    return inspectLoop(workflow, members, ways, isKnown ? loopBound(workflow, ways) : null);
  });
}

function loopBound({ budget }: Workflow, unbounded: readonly Loop[]): LoopInspection["boundBy"] {
  if (unbounded.length === 0) return "guards";
  return endsEveryRun(budget) ? "budget" : "nothing";
}

function inspectLoop(
  workflow: Workflow,
  members: readonly number[],
  unbounded: readonly Loop[],
  boundBy: LoopInspection["boundBy"],
): LoopInspection {
  const nameOf = (state: number): string => workflow.states[state]?.name.text ?? "";
  return {
    states: members.map(nameOf),
    boundBy,
    guards: members.flatMap((index) => loopGuards(workflow, index)),
    unbounded: unbounded.map(({ states, witness, certain }) => ({
      states: states.map(nameOf),
      run: runJson(witness),
      certain,
    })),
  };
}

function runJson(witness: Trace | undefined): Trace | null {
  return witness === undefined ? null : traceJson(witness);
}

function loopGuards(workflow: Workflow, index: number): LoopInspection["guards"] {
  const state = workflow.states[index];
  if (state === undefined) return [];
  const guard = inspectGuard(state);
  return guard.guardClear && guard.maxVisits === null ? [] : [{ state: state.name.text, ...guard }];
}

/** How often models may call tools on one run of one turn per visit: `tool_policy` says how often they may in a turn. */
function inspectToolUse(
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
