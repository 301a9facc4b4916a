import type { Composition, Step } from "../composition/composition.js";
import { factsOf } from "../composition/facts.js";
import { predicateText } from "../composition/predicate.js";
import { lapOf, type Trace } from "../diagnostic.js";
import { type LocatedString, stringOf } from "../document/node.js";
import { type Facts, type Loop, verdictsOf } from "../machine/facts.js";
import { cyclicStateGroups } from "../machine/laps.js";
import { entryBounds } from "../machine/structural-facts.js";
import type { AgentMember } from "../pack/agents.js";
import type { ArtifactReader } from "../pack/artifact-use.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import { type Budget, endsEveryRun, isReadable, type State, type Workflow } from "../pack/workflow.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { traceJson } from "../text/format-trace.js";

/** Plain data, which `inspect --format json` prints as it is. What is not known is `null`. */
export type Inspection = ReturnType<typeof inspect>;
export type WorkflowInspection = NonNullable<Inspection["workflow"]>;
export type StateInspection = WorkflowInspection["states"][number];
export type LoopInspection = WorkflowInspection["loops"][number];
export type ArtifactInspection = WorkflowInspection["artifacts"][number];
export type GuardInspection = ReturnType<typeof inspectGuard>;
export type CompositionInspection = Inspection["compositions"][number];

/** `null` if unknown. */
export type UpperBound = number | "unbounded" | null;

export function inspect(
  file: string,
  pack: Pack,
  workflow: { readonly workflow: Workflow; readonly facts: Facts } | undefined,
) {
  const { root, spec } = pack;
  const { members, entry } = pack.agents;
  const field = (name: string): string | null => stringOf(root.get(name)) ?? null;
  return {
    schemaVersion: 1 as const,
    file,
    id: field("id"),
    name: field("name"),
    version: field("version"),
    specVersion: spec.version,
    /** The version in `$schema`, if it is not a known one. */
    unknownSpecVersion: spec.problem === undefined ? null : spec.pinned || (spec.declared?.text ?? null),
    prompts: [...pack.prompts.keys()],
    tools: [...pack.tools.keys()],
    fragments: [...pack.fragments.keys()],
    /** The ids of the pack's own evals, then those of its prompts. */
    evals: [pack.evals, ...[...pack.prompts.values()].map((prompt) => prompt.evals)]
      .flat()
      .map(({ id: evalId }) => evalId?.text ?? ""),
    /** Paths, package references, and the names of inline skills. */
    skills: pack.skills.sources.map((source) =>
      source.kind === "path" ? source.path.text : source.name.text,
    ),
    agents: members.map(({ name, state }) => ({
      name: name.text,
      state: state?.text ?? null,
      entry: entry?.text === name.text,
    })),
    /** The models that the pack requires. */
    providers: pack.providers.required.map(({ key, role, isOptional }) => ({
      key: key.text,
      role,
      optional: isOptional,
    })),
    compositions: inspectCompositions(pack),
    workflow: workflow
      ? { ...inspectWorkflow(workflow.workflow, workflow.facts, pack), artifacts: inspectArtifacts(pack) }
      : null,
  };
}

/** In the order of the first declarations. */
function inspectArtifacts({ artifacts }: Pack) {
  const readersOf = new Map<string, ArtifactReader[]>();
  for (const { name, readers } of artifacts.reads)
    for (const reader of readers) appendTo(readersOf, name, reader);
  // All reads of a prompt share one.
  const shown = new Map<ArtifactReader, { prompt: string; states: readonly string[] }>();
  const show = (reader: ArtifactReader) =>
    getOrCreate(shown, reader, () => ({
      prompt: reader.prompt.key.text,
      states: reader.states.map((state) => state.name.text),
    }));
  return [...artifacts.declared].map(([name, declarations]) => ({
    name,
    types: unique(declarations.flatMap(({ artifact }) => artifact.type?.text ?? [])),
    modes: unique(
      declarations.map(({ artifact }) => (artifact.mode?.text === "append" ? "append" : "replace")),
    ),
    declaredBy: unique(declarations.map(({ state }) => state.name.text)),
    /** In file order. */
    readBy: unique(readersOf.get(name) ?? [])
      .toSorted((a, b) => a.prompt.key.start - b.prompt.key.start)
      .map(show),
  }));
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}

type VisitCounts = Pick<Facts, "worstCase" | "worstCaseOf" | "weightedWorstCase" | "shortestComplete">;

export function inspectWorkflow(workflow: Workflow, facts: Facts, { agents, prompts }: Pack) {
  const clear = verdictsOf(workflow, facts).fullyResolved;
  const counts = clear ? facts : guardOnlyCounts(workflow, facts);
  const loops = findUnboundedLoops(workflow, facts);
  const endless = statesRepeatedForever(loops);
  const states = workflow.states.map((state) => {
    const { index, name, promptTask, runsComposition, orchestration, persistence } = state;
    const entered = facts.entered.has(index) || (clear ? false : null);
    const visits: UpperBound = endless.has(name.text) ? "unbounded" : toUpperBound(counts.worstCaseOf(index));
    return {
      name: name.text,
      prompt: runsComposition ? null : (promptTask?.text ?? null),
      composition: compositionName(state),
      ends: facts.machine.states[index]?.ends === true,
      orchestration: orchestration?.text ?? null,
      persistence: persistence?.text ?? null,
      /** Whether some run enters it, or may enter it if not every run was explored. */
      entered,
      ...inspectGuard(state),
      /** Visits in one run, ignoring the budget; an upper bound unless exact and clear. */
      worstCaseVisits: entered === false ? 0 : visits,
    };
  });
  const { worstCase, shortestComplete } = counts;
  // No run makes more visits than the worst cases of all states together.
  const allVisits = clear ? states.map((state) => state.worstCaseVisits).reduce(addBounds, 0) : null;
  const worstCaseVisits: UpperBound = endless.size > 0 ? "unbounded" : (toUpperBound(worstCase) ?? allVisits);
  return {
    version: workflow.version?.value ?? null,
    /** Whether every run was explored. If not, `null` and uncertain values below are unknown. */
    exact: facts.exact,
    /** Whether everything that runs depend on is valid and every name is defined. If not, dependent values are `null`. */
    clear,
    /** The workflow's own entry, whose agent is `null`, then the entry of each agent. */
    entries: entriesOf(workflow, agents.members),
    /** The states that end a run, including those that no run enters. */
    ends: facts.machine.states.flatMap(({ name, ends }) => (ends ? name : [])),
    states,
    loops: inspectLoops(workflow, facts, loops, clear),
    /** Visits of all states in one run, ignoring the budget; an upper bound if not exact. */
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

function entriesOf({ entry, stateNamed }: Workflow, agents: readonly AgentMember[]) {
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
  return new Set(laps.flatMap(({ to }) => to ?? []));
}

/** JSON has no infinity. */
function toUpperBound(number: number | undefined): UpperBound {
  if (number === undefined) return null;
  return number === Infinity ? "unbounded" : number;
}

function inspectBudget(budget: Budget, counts: VisitCounts, worstCaseVisits: UpperBound) {
  const total = budget.maxTotalVisits?.value;
  return {
    maxTotalVisits: total ?? null,
    maxToolCalls: budget.maxToolCalls?.value ?? null,
    maxWallTimeSec: budget.maxWallTimeSec?.value ?? null,
    verdict: total === undefined ? null : budgetVerdict(total, counts, worstCaseVisits),
  };
}

/**
 * `max_total_visits` is `too-small` for any complete run, `may-cut` a run short, `holds` a loop that nothing else ends, or
 * is `never-reached`.
 */
function budgetVerdict(
  total: number,
  { worstCase, shortestComplete }: VisitCounts,
  worstCaseVisits: UpperBound,
): "too-small" | "may-cut" | "holds" | "never-reached" | null {
  if (shortestComplete !== undefined && shortestComplete.entries > total) return "too-small";
  if (typeof worstCaseVisits === "number" && worstCaseVisits <= total) return "never-reached";
  if (worstCase === undefined) return null;
  return worstCase === Infinity ? "holds" : "may-cut";
}

function inspectGuard({ maxVisits, onMaxVisits, hasUnreadableGuard }: State) {
  return {
    maxVisits: maxVisits?.value ?? null,
    onMaxVisits: onMaxVisits?.text ?? null,
    /** Whether the state conforms to the schema. */
    guardClear: !hasUnreadableGuard,
  };
}

/** States that a run can repeat. */
function inspectLoops(workflow: Workflow, facts: Facts, unboundedLoops: readonly Loop[], clear: boolean) {
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
      /** The limit that ends every run in it. */
      boundBy: isKnown ? loopBound(workflow, loops) : null,
      guards: members.flatMap((index) => loopGuards(workflow.states[index])),
      /** Loops within it that no guard ends. */
      unbounded: loops.map(({ states, witness, certain }) => ({
        states: states.map(nameOf),
        run: runJson(witness),
        /** False if it is inferred from the graph alone, or its run passes an unclear state. */
        certain,
      })),
    };
  });
}

function loopBound({ budget }: Workflow, unbounded: readonly Loop[]): "guards" | "budget" | "nothing" {
  if (unbounded.length === 0) return "guards";
  return endsEveryRun(budget) ? "budget" : "nothing";
}

function runJson(witness: Trace | undefined): Trace | null {
  return witness === undefined ? null : traceJson(witness);
}

function loopGuards(state: State | undefined) {
  if (state === undefined) return [];
  const guard = inspectGuard(state);
  return guard.guardClear && guard.maxVisits === null ? [] : [{ state: state.name.text, ...guard }];
}

/** The composition that the state runs, even if there is none of this name. */
function compositionName({ runsComposition, compositionName: name }: State): string | null {
  return runsComposition ? (name?.text ?? null) : null;
}

/** The tool rounds of one run with one turn per visit, as `tool_policy` limits the rounds of a turn. */
function inspectToolUse(
  workflow: Workflow,
  prompts: ReadonlyMap<string, Prompt>,
  inspected: readonly { readonly entered: boolean | null; readonly worstCaseVisits: UpperBound }[],
  counts: Pick<Facts, "worstCaseOf" | "weightedWorstCase">,
) {
  const total = workflow.budget?.maxTotalVisits?.value;
  const calls = workflow.budget?.maxToolCalls?.value ?? Infinity;
  const callers = workflow.states.flatMap((state) => {
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
      /** `tool_policy.max_rounds`, per turn; of a composition, `max_steps` of all its agent steps. */
      maxRounds: typeof perTurn === "number" ? perTurn : null,
      maxCallsPerTurn: prompt?.toolPolicy?.maxCallsPerTurn?.value ?? null,
      /** Also "unbounded" if `maxRounds` is not set, which leaves the limit to the runtime. */
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

function inspectCompositions({ compositions, workflow }: Pack) {
  const states = new Map<Composition, string[]>();
  for (const { composition, name } of workflow?.states ?? [])
    if (composition !== undefined) appendTo(states, composition, name.text);
  return [...compositions.values()].map((composition) => ({
    name: composition.key.text,
    /** Whether it conforms to the schema. If not, dependent values are `null`. */
    clear: composition.isClear,
    states: states.get(composition) ?? [],
    steps: composition.steps.map((step) => inspectStep(step, composition)),
    output: composition.output?.text ?? null,
    ...inspectResult(composition),
  }));
}

/** With the steps inside a `parallel` one. */
export interface StepInspection extends ReturnType<typeof inspectOneStep> {
  readonly branches: readonly StepInspection[];
}

function inspectStep(step: Step, composition: Composition): StepInspection {
  const branches = step.branches.map((nested) => inspectStep(nested, composition));
  return { ...inspectOneStep(step, composition), branches };
}

function inspectOneStep(step: Step, composition: Composition) {
  const { id, kindText, promptTask, tool, tools, provider, dependsOn, predicate, reduce } = step;
  return {
    id: id.text,
    kind: kindText.text,
    prompt: textOf(promptTask),
    tool: textOf(tool),
    tools: tools?.map(({ text }) => text) ?? null,
    provider: textOf(provider),
    dependsOn: dependsOn.map(({ text }) => text),
    /** In words. */
    predicate: predicate === undefined ? null : predicateText(predicate),
    then: textOf(step.then),
    else: textOf(step.otherwise),
    reduce: reduce === undefined ? null : { strategy: reduce.strategy.text, into: reduce.into.text },
    /** Whether some outcome of the branches runs it. */
    runs: composition.isClear ? factsOf(composition).mayRun(step) : null,
  };
}

function textOf(name: LocatedString | undefined): string | null {
  return name?.text ?? null;
}

function inspectResult(composition: Composition) {
  if (!composition.isClear) return { exact: false, results: null, withoutResult: null };
  const { isExact, mayBeResult, outputSkipped, withoutResult } = factsOf(composition);
  const answers = outputSkipped ?? withoutResult;
  return {
    /** Whether every outcome of its branches was tried. If not, a step that "runs" or is a result only may. */
    exact: isExact,
    /** The steps whose output some outcome ends with. */
    results: composition.steps.filter(mayBeResult).map(({ id }) => id.text),
    /** Answers that leave it without a result, so that it fails; `null` if there are none, or none is known. */
    withoutResult: answers?.map(({ branch, isYes }) => ({ branch: branch.id.text, answer: isYes })) ?? null,
  };
}

/**
 * The most rounds of tool calls in one turn: those of all its `agent` steps, as `prompt` steps call no tools. Undefined
 * if it has none.
 */
function roundsOfComposition(
  composition: Composition | undefined,
  prompts: ReadonlyMap<string, Prompt>,
): UpperBound | undefined {
  if (composition?.isClear !== true) return null;
  let rounds: number | undefined;
  for (const step of composition.allSteps) {
    if (step.kind === "vendor") return null;
    if (step.kind !== "agent") continue;
    const prompt = prompts.get(step.promptTask?.text ?? "");
    if (prompt === undefined) return null;
    if (!mayCallTools(step, prompt)) continue;
    rounds = (rounds ?? 0) + (step.termination?.maxSteps?.value ?? Infinity);
  }
  return rounds === Infinity ? "unbounded" : rounds;
}

/** A step may call the tools that both it and its prompt list. */
function mayCallTools({ tools }: Step, prompt: Prompt): boolean {
  const listed = new Set(prompt.tools.map(({ text }) => text));
  return tools === undefined ? listed.size > 0 : tools.some(({ text }) => listed.has(text));
}

function addBounds(a: UpperBound, b: UpperBound): UpperBound {
  if (a === "unbounded" || b === "unbounded") return "unbounded";
  return a === null || b === null ? null : a + b;
}

/** JSON lists every reader of an artifact with all its states, which can be billions of pairs in a small pack. */
const maxReaderPairs = 2_000_000;

/** The number of pairs of an artifact and a state that reads it, if too large for JSON. */
export function excessiveReaderPairs({ workflow }: Inspection): number | undefined {
  const readers = (workflow?.artifacts ?? []).flatMap(({ readBy }) => readBy);
  const pairs = readers.reduce((sum, { states }) => sum + states.length, 0);
  return pairs > maxReaderPairs ? pairs : undefined;
}
