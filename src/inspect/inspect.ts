import { lapOf, type Trace } from "../diagnostic.js";
import { stringOf } from "../document/node.js";
import type { Facts, Loop } from "../machine/facts.js";
import { cyclicStateGroups } from "../machine/laps.js";
import { entryBounds } from "../machine/structural-facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { AgentMember } from "../pack/agents.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import { type Budget, endsEveryRun, isReadable, type State, type Workflow } from "../pack/workflow.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { traceJson } from "../text/format-trace.js";
import { inspectCompositions, roundsOfComposition } from "./inspect-composition.js";
import {
  addBounds,
  type ArtifactInspection,
  type BudgetInspection,
  type GuardInspection,
  type Inspection,
  type LoopInspection,
  type StateInspection,
  type ToolUseInspection,
  type UpperBound,
  type WorkflowInspection,
} from "./inspection.js";

export function inspect(
  file: string,
  pack: Pack,
  workflow: { readonly workflow: Workflow; readonly facts: Facts } | undefined,
): Inspection {
  const { root, spec } = pack;
  const { members, entry } = pack.agents;
  const textOf = (name: string): string | null => stringOf(root.get(name)) ?? null;
  return {
    schemaVersion: 1,
    file,
    id: textOf("id"),
    name: textOf("name"),
    version: textOf("version"),
    specVersion: spec.version,
    unknownSpecVersion: spec.problem === undefined ? null : spec.pinned || (spec.declared?.text ?? null),
    prompts: [...pack.prompts.keys()],
    tools: [...pack.tools.keys()],
    fragments: [...pack.fragments.keys()],
    evals: [pack.evals, ...[...pack.prompts.values()].map((prompt) => prompt.evals)]
      .flat()
      .map(({ id: evalId }) => evalId?.text ?? ""),
    skills: pack.skills.sources.map((source) =>
      source.kind === "path" ? source.path.text : source.name.text,
    ),
    agents: members.map(({ name, state }) => ({
      name: name.text,
      state: state?.text ?? null,
      entry: entry?.text === name.text,
    })),
    providers: pack.providers.required.map(({ key, role, isOptional }) => ({
      key: key.text,
      role,
      optional: isOptional,
    })),
    compositions: inspectCompositions(pack),
    workflow: workflow
      ? {
          ...inspectWorkflow(workflow.workflow, workflow.facts, pack),
          artifacts: inspectArtifacts(pack),
        }
      : null,
  };
}

/** In the order of the first declarations. */
function inspectArtifacts({ artifacts }: Pack): readonly ArtifactInspection[] {
  const readers = new Map<string, Map<string, readonly string[]>>();
  // All reads of a prompt share a list of states, whose names are collected only once.
  const namesOf = new Map<readonly State[], readonly string[]>();
  for (const { name, prompt, states } of artifacts.reads) {
    const prompts = getOrCreate(readers, name, () => new Map());
    const names = getOrCreate(namesOf, states, () => states.map((state) => state.name.text));
    prompts.set(prompt.key.text, names);
  }
  return [...artifacts.declared].map(([name, declarations]) => ({
    name,
    types: unique(declarations.flatMap(({ artifact }) => artifact.type?.text ?? [])),
    modes: unique(
      declarations.map(({ artifact }) => (artifact.mode?.text === "append" ? "append" : "replace")),
    ),
    declaredBy: unique(declarations.map(({ state }) => state.name.text)),
    readBy: [...(readers.get(name) ?? [])].map(([prompt, states]) => ({ prompt, states })),
  }));
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}

type VisitCounts = Pick<Facts, "worstCase" | "worstCaseOf" | "weightedWorstCase" | "shortestComplete">;

function inspectWorkflow(
  workflow: Workflow,
  facts: Facts,
  { agents, prompts }: Pack,
): Omit<WorkflowInspection, "artifacts"> {
  const clear = verdictsOf(workflow, facts).fullyResolved;
  const counts = clear ? facts : guardOnlyCounts(workflow, facts);
  const loops = findUnboundedLoops(workflow, facts);
  const endless = statesRepeatedForever(loops);
  const states = workflow.states.map((state): StateInspection => {
    const { index, name, promptTask, runsComposition, orchestration, persistence } = state;
    const entered = facts.entered.has(index) || (clear ? false : null);
    const visits = endless.has(name.text) ? "unbounded" : toUpperBound(counts.worstCaseOf(index));
    return {
      name: name.text,
      prompt: runsComposition ? null : (promptTask?.text ?? null),
      composition: compositionName(state),
      ends: facts.machine.states[index]?.ends === true,
      orchestration: orchestration?.text ?? null,
      persistence: persistence?.text ?? null,
      entered,
      ...inspectGuard(state),
      worstCaseVisits: entered === false ? 0 : visits,
    };
  });
  const { worstCase, shortestComplete } = counts;
  // No run makes more visits than the worst cases of all states together.
  const allVisits = clear ? states.map((state) => state.worstCaseVisits).reduce(addBounds, 0) : null;
  const worstCaseVisits = endless.size > 0 ? "unbounded" : (toUpperBound(worstCase) ?? allVisits);
  return {
    version: workflow.version?.value ?? null,
    exact: facts.exact,
    clear,
    entries: entriesOf(workflow, agents.members),
    ends: facts.machine.states.flatMap(({ name, ends }) => (ends ? name : [])),
    states,
    loops: inspectLoops(workflow, facts, loops, clear),
    worstCaseVisits,
    shortestComplete: shortestComplete
      ? { visits: shortestComplete.entries, run: runJson(shortestComplete.witness) }
      : null,
    budget: workflow.budget ? inspectBudget(workflow.budget, counts, worstCaseVisits) : null,
    toolUse: inspectToolUse(workflow, prompts, states, counts),
  };
}

/** In an unclear workflow, only a state's own guard bounds its visits; a state that ends the run has one visit. */
function guardOnlyCounts({ states }: Workflow, { machine }: Facts): VisitCounts {
  const maxVisits = (index: number): number => {
    if (machine.states[index]?.ends === true) return 1;
    const state = states[index];
    return state?.hasUnreadableGuard === false ? (state.maxVisits?.value ?? Infinity) : Infinity;
  };
  return { shortestComplete: undefined, ...entryBounds(machine, maxVisits) };
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

/** The loops that no guard ends; uncertain if their run passes an unclear state. */
function findUnboundedLoops({ states }: Workflow, facts: Facts): readonly Loop[] {
  const unclear = new Set(states.flatMap((state) => (isReadable(state) ? [] : state.name.text)));
  return facts.unboundedLoops.map((loop) =>
    loop.witness?.steps.some(({ from }) => unclear.has(from)) === true ? { ...loop, certain: false } : loop,
  );
}

/** Also known if not every run was explored. */
function statesRepeatedForever(loops: readonly Loop[]): ReadonlySet<string> {
  const laps = loops.flatMap(({ certain, witness }) => (certain ? (lapOf(witness) ?? []) : []));
  return new Set(laps.map(({ to }) => to));
}

/** JSON has no infinity. */
function toUpperBound(number: number | undefined): UpperBound {
  if (number === undefined) return null;
  return number === Infinity ? "unbounded" : number;
}

function inspectBudget(budget: Budget, counts: VisitCounts, worstCaseVisits: UpperBound): BudgetInspection {
  const total = budget.maxTotalVisits?.value;
  return {
    maxTotalVisits: total ?? null,
    maxToolCalls: budget.maxToolCalls?.value ?? null,
    maxWallTimeSec: budget.maxWallTimeSec?.value ?? null,
    verdict: total === undefined ? null : budgetVerdict(total, counts, worstCaseVisits),
  };
}

function budgetVerdict(
  total: number,
  { worstCase, shortestComplete }: VisitCounts,
  worstCaseVisits: UpperBound,
): BudgetInspection["verdict"] {
  if (shortestComplete !== undefined && shortestComplete.entries > total) return "too-small";
  if (typeof worstCaseVisits === "number" && worstCaseVisits <= total) return "never-reached";
  if (worstCase === undefined) return null;
  return worstCase === Infinity ? "holds" : "may-cut";
}

function inspectGuard({ maxVisits, onMaxVisits, hasUnreadableGuard }: State): GuardInspection {
  return {
    maxVisits: maxVisits?.value ?? null,
    onMaxVisits: onMaxVisits?.text ?? null,
    guardClear: !hasUnreadableGuard,
  };
}

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
  const nameOf = (state: number): string => workflow.states[state]?.name.text ?? "";
  return parts.map((members) => {
    const loops = unbounded.get(members) ?? [];
    const isKnown = loops.length === 0 ? clear : loops.some(({ certain }) => certain);
    return {
      states: members.map(nameOf),
      boundBy: isKnown ? loopBound(workflow, loops) : null,
      guards: members.flatMap((index) => loopGuards(workflow.states[index])),
      unbounded: loops.map(({ states, witness, certain }) => ({
        states: states.map(nameOf),
        run: runJson(witness),
        certain,
      })),
    };
  });
}

function loopBound({ budget }: Workflow, unbounded: readonly Loop[]): LoopInspection["boundBy"] {
  if (unbounded.length === 0) return "guards";
  return endsEveryRun(budget) ? "budget" : "nothing";
}

function runJson(witness: Trace | undefined): Trace | null {
  return witness === undefined ? null : traceJson(witness);
}

function loopGuards(state: State | undefined): LoopInspection["guards"] {
  if (state === undefined) return [];
  const guard = inspectGuard(state);
  return guard.guardClear && guard.maxVisits === null ? [] : [{ state: state.name.text, ...guard }];
}

/** The composition that the state runs, even if there is none of this name. */
function compositionName({ runsComposition, compositionName: name }: State): string | null {
  return runsComposition ? (name?.text ?? null) : null;
}

/** The limits of one turn in a state. */
interface ToolCaller {
  readonly state: State;
  readonly visits: UpperBound;
  /** The most rounds of one turn; unbounded if nothing limits them, `null` if unknown. */
  readonly perTurn: UpperBound;
}

/** The tool rounds of one run with one turn per visit, as `tool_policy` limits the rounds of a turn. */
function inspectToolUse(
  workflow: Workflow,
  prompts: ReadonlyMap<string, Prompt>,
  inspected: readonly StateInspection[],
  counts: Pick<Facts, "worstCaseOf" | "weightedWorstCase">,
): ToolUseInspection {
  const total = workflow.budget?.maxTotalVisits?.value;
  const calls = workflow.budget?.maxToolCalls?.value ?? Infinity;
  const callers = workflow.states.flatMap((state): readonly ToolCaller[] => {
    const seen = inspected[state.index];
    const perTurn = roundsPerTurn(state, prompts);
    if (seen === undefined || seen.entered === false || perTurn === undefined) return [];
    return [{ state, visits: seen.worstCaseVisits, perTurn }];
  });
  const roundsOf = new Map(
    callers.map(({ state, perTurn }) => [state.index, typeof perTurn === "number" ? perTurn : Infinity]),
  );
  // Less than the sum over all states: their worst cases may be on different paths, or share the budget.
  const roundsOfOneRun = counts.weightedWorstCase((index) => roundsOf.get(index) ?? 0, total ?? Infinity);
  const states = callers.map(({ state, visits, perTurn }) => {
    const { name, prompt, index } = state;
    const visitsInBudget = total === undefined ? visits : (counts.worstCaseOf(index, total) ?? null);
    return {
      state: name.text,
      prompt: prompt?.key.text ?? null,
      composition: compositionName(state),
      maxRounds: typeof perTurn === "number" ? perTurn : null,
      maxCallsPerTurn: prompt?.toolPolicy?.maxCallsPerTurn?.value ?? null,
      worstCaseRounds: capBound(calls, worstCaseRounds(perTurn, visitsInBudget)),
    };
  });
  const isKnown = roundsOfOneRun !== undefined || total === undefined;
  const sum = states.map((state) => state.worstCaseRounds).reduce(addBounds, isKnown ? 0 : null);
  return { states, worstCaseRounds: capBound(Math.min(calls, roundsOfOneRun ?? Infinity), sum) };
}

/** Assumes the worst of an unknown prompt; undefined if no tool can be called. */
function roundsPerTurn(
  { prompt, composition, runsComposition }: State,
  prompts: ReadonlyMap<string, Prompt>,
): UpperBound | undefined {
  if (runsComposition) return roundsOfComposition(composition, prompts);
  if (prompt === undefined) return null;
  const { tools, toolPolicy } = prompt;
  if (tools.length === 0 || toolPolicy?.toolChoice?.text === "none") return undefined;
  return toolPolicy?.maxRounds?.value ?? (toolPolicy?.maxRoundsUnclear === true ? null : "unbounded");
}

function worstCaseRounds(perTurn: UpperBound, visits: UpperBound): UpperBound {
  if (visits === 0) return 0;
  if (typeof perTurn !== "number") return perTurn;
  return typeof visits === "number" ? perTurn * visits : visits;
}

/** Each round calls at least one tool, so a limit on calls is a limit on rounds. */
function capBound(limit: number, bound: UpperBound): UpperBound {
  if (typeof bound === "number") return Math.min(bound, limit);
  return limit === Infinity ? bound : limit;
}
