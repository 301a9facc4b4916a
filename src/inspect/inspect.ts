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
import { type Budget, endsEveryRun, isReadable, type State, type Workflow } from "../pack/workflow.js";
import type { Runtime } from "../runtimes/runtime.js";
import { inspectReadings } from "./readings.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { traceJson } from "../text/format-trace.js";

/** Plain data, which `inspect --format json` prints as it is. What is not known is `null`. */
export type Inspection = ReturnType<typeof inspect>;
export type WorkflowInspection = NonNullable<Inspection["workflow"]>;
export type CompositionInspection = Inspection["compositions"][number];

/** `null` if unknown. JSON has no infinity. */
export type UpperBound = number | "unbounded" | null;

/** The same while it is computed: `undefined` if unknown, and infinity. */
type Bound = number | undefined;

function toUpperBound(bound: Bound): UpperBound {
  return bound === Infinity ? "unbounded" : (bound ?? null);
}

interface RunningWorkflow {
  readonly workflow: Workflow;
  readonly facts: Facts;
  /** The facts in each runtime that counts. */
  readonly runtimes?: ReadonlyMap<Runtime, Facts>;
}

export function inspect(file: string, pack: Pack, workflow: RunningWorkflow | undefined) {
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
    evals: [pack.evals, ...[...pack.prompts.values()].map((prompt) => prompt.evals)]
      .flat()
      .map(({ id }) => id?.text ?? ""),
    /** Paths, package references, and the names of inline skills. */
    skills: pack.skills.sources.map((source) =>
      source.kind === "path" ? source.path.text : source.name.text,
    ),
    agents: members.map(({ name, state }) => ({
      name: name.text,
      state: textOf(state),
      entry: entry?.text === name.text,
    })),
    providers: pack.providers.required.flatMap(({ key, role, isOptional }) =>
      role === undefined
        ? []
        : {
            key: key.text,
            role,
            optional: isOptional,
          },
    ),
    compositions: inspectCompositions(pack),
    workflow: workflow
      ? {
          ...inspectWorkflow(workflow, pack),
          artifacts: inspectArtifacts(pack),
          ...readingsIn(workflow, pack),
        }
      : null,
  };
}

/** In the first runtime that counts. */
function readingsIn({ workflow, facts, runtimes = new Map() }: RunningWorkflow, pack: Pack) {
  const [[runtime, own] = [undefined, facts]] = runtimes;
  const readings = inspectReadings(workflow, own, pack, runtime);
  return { readings, readingsOf: runtime?.title ?? null };
}

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

/** The most visits of each state in one run, and of all; and which states runs enter. */
function countVisits(workflow: Workflow, facts: Facts) {
  const clear = verdictsOf(workflow, facts).fullyResolved;
  const counts = clear ? facts : guardOnlyCounts(workflow, facts);
  const loops = findUnboundedLoops(workflow, facts);
  const endless = statesRepeatedForever(loops);
  const enteredOf = ({ index }: State): boolean | null => facts.entered.has(index) || (clear ? false : null);
  const visitsOf = workflow.states.map((state): Bound => {
    if (enteredOf(state) === false) return 0;
    return endless.has(state.name.text) ? Infinity : counts.worstCaseOf(state.index);
  });
  // No run makes more visits than the worst cases of all states together.
  const allVisits = endless.size > 0 ? Infinity : (counts.worstCase ?? (clear ? sumOf(visitsOf) : undefined));
  return { clear, counts, loops, enteredOf, visitsOf, allVisits };
}

/** Where a runtime makes more visits, or fewer, than the RFCs allow. */
function inspectRuntimes({ workflow, facts, runtimes }: RunningWorkflow) {
  const { visitsOf, allVisits } = countVisits(workflow, facts);
  return [...(runtimes ?? [])].flatMap(([{ name, title }, own]) => {
    const other = countVisits(workflow, own);
    const states = workflow.states.flatMap(({ index, name: state }) =>
      other.visitsOf[index] === visitsOf[index]
        ? []
        : { name: state.text, worstCaseVisits: toUpperBound(other.visitsOf[index]) },
    );
    if (states.length === 0 && other.allVisits === allVisits) return [];
    return { name, title, exact: own.exact, worstCaseVisits: toUpperBound(other.allVisits), states };
  });
}

export function inspectWorkflow(running: RunningWorkflow, { agents, prompts }: Pack) {
  const { workflow, facts } = running;
  const { clear, counts, loops, enteredOf, visitsOf, allVisits } = countVisits(workflow, facts);
  const entered = workflow.states.filter((state) => enteredOf(state) !== false);
  const states = workflow.states.map((state) => {
    const { index, name, promptTask, runsComposition, orchestration, persistence } = state;
    return {
      name: name.text,
      prompt: runsComposition ? null : textOf(promptTask),
      composition: compositionName(state),
      ends: facts.machine.states[index]?.ends === true,
      orchestration: textOf(orchestration),
      persistence: textOf(persistence),
      /** Whether some run enters it, or may enter it if not every run was explored. */
      entered: enteredOf(state),
      ...inspectGuard(state),
      /** Visits in one run, ignoring the budget; an upper bound unless exact and clear. */
      worstCaseVisits: toUpperBound(visitsOf[index]),
    };
  });
  const { shortestComplete } = counts;
  return {
    version: workflow.version?.value ?? null,
    /** Whether every run was explored. If not, `null` and uncertain values below are unknown. */
    exact: facts.exact,
    /** Whether everything that runs depend on is valid and every name is defined. If not, dependent values are `null`. */
    clear,
    /** The workflow's own entry, whose agent is `null`, then the entry of each agent. */
    entries: entriesOf(workflow, agents.members),
    /** Including states that no run enters. */
    ends: facts.machine.states.flatMap(({ name, ends }) => (ends ? name : [])),
    states,
    loops: inspectLoops(workflow, facts, loops, clear),
    /** Visits of all states in one run, ignoring the budget; an upper bound if not exact. */
    worstCaseVisits: toUpperBound(allVisits),
    /** The runtimes whose bounds differ, with the states whose bounds they change. */
    runtimes: inspectRuntimes(running),
    shortestComplete: shortestComplete
      ? { visits: shortestComplete.entries, run: runOf(shortestComplete) }
      : null,
    budget: workflow.budget ? inspectBudget(workflow.budget, counts, allVisits) : null,
    toolUse: inspectToolUse(workflow, entered, visitsOf, prompts, counts),
  };
}

/** Infinite if one of them is, whatever is unknown. */
function sumOf(bounds: readonly Bound[]): Bound {
  if (bounds.includes(Infinity)) return Infinity;
  return bounds.reduce(
    (sum, bound) => (sum === undefined || bound === undefined ? undefined : sum + bound),
    0,
  );
}

function runOf({ witness }: { readonly witness: Trace | undefined }): Trace | null {
  return witness ? traceJson(witness) : null;
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

function inspectBudget(budget: Budget, counts: VisitCounts, allVisits: Bound) {
  const total = budget.maxTotalVisits?.value;
  return {
    maxTotalVisits: total ?? null,
    maxToolCalls: budget.maxToolCalls?.value ?? null,
    maxWallTimeSec: budget.maxWallTimeSec?.value ?? null,
    verdict: total === undefined ? null : budgetVerdict(total, counts, allVisits),
  };
}

/** `holds`: only the budget ends some loop. `may-cut`: a run that ends by itself may be cut short. */
function budgetVerdict(total: number, { worstCase, shortestComplete }: VisitCounts, allVisits: Bound) {
  if (shortestComplete !== undefined && shortestComplete.entries > total) return "too-small" as const;
  if (allVisits !== undefined && allVisits <= total) return "never-reached" as const;
  if (worstCase === undefined) return null;
  return worstCase === Infinity ? ("holds" as const) : ("may-cut" as const);
}

function inspectGuard({ maxVisits, onMaxVisits, hasUnreadableGuard }: State) {
  return {
    maxVisits: maxVisits?.value ?? null,
    onMaxVisits: textOf(onMaxVisits),
    /** Whether the state conforms to the schema. */
    guardClear: !hasUnreadableGuard,
  };
}

function inspectLoops(workflow: Workflow, facts: Facts, unboundedLoops: readonly Loop[], clear: boolean) {
  const parts = cyclicStateGroups(facts);
  const partOf = new Map(parts.flatMap((members) => members.map((state) => [state, members] as const)));
  const unbounded = new Map<readonly number[] | undefined, Loop[]>();
  for (const loop of unboundedLoops) appendTo(unbounded, partOf.get(loop.states[0] ?? -1), loop);
  const statesAt = (indexes: readonly number[]) => indexes.flatMap((index) => workflow.states[index] ?? []);
  const boundOfUnguarded = endsEveryRun(workflow) !== false ? ("budget" as const) : ("nothing" as const);
  return parts.map((members) => {
    const loops = unbounded.get(members) ?? [];
    const isKnown = loops.length === 0 ? clear : loops.some(({ certain }) => certain);
    const states = statesAt(members);
    const guards = states.map((state) => ({ state: state.name.text, ...inspectGuard(state) }));
    return {
      states: states.map(({ name }) => name.text),
      /** The limit that ends every run in it. */
      boundBy: !isKnown ? null : loops.length === 0 ? ("guards" as const) : boundOfUnguarded,
      guards: guards.filter(({ guardClear, maxVisits }) => !guardClear || maxVisits !== null),
      unbounded: loops.map((loop) => ({
        states: statesAt(loop.states).map(({ name }) => name.text),
        run: runOf(loop),
        /** False if it is inferred from the graph alone, or its run passes an unclear state. */
        certain: loop.certain,
      })),
    };
  });
}

function compositionName({ runsComposition, compositionName: name }: State): string | null {
  return runsComposition ? textOf(name) : null;
}

/** The tool rounds of one run with one turn per visit, as `tool_policy` limits the rounds of a turn. */
function inspectToolUse(
  { budget }: Workflow,
  entered: readonly State[],
  visitsOf: readonly Bound[],
  prompts: Pack["prompts"],
  counts: VisitCounts,
) {
  const total = budget?.maxTotalVisits?.value;
  // Each round calls at least one tool, so a limit on calls is a limit on rounds.
  const calls = budget?.maxToolCalls?.value ?? Infinity;
  const callers = entered
    .map((state) => ({ state, perTurn: roundsPerTurn(state, prompts) }))
    .filter(({ perTurn }) => perTurn !== 0);
  const roundsOf = new Map(callers.map(({ state, perTurn = Infinity }) => [state.index, perTurn]));
  // Less than the sum over all states: their worst cases may be on different paths, or share the budget.
  const roundsOfOneRun = counts.weightedWorstCase((index) => roundsOf.get(index) ?? 0, total ?? Infinity);
  const rounds = callers.map(({ state: { index }, perTurn }) => {
    const visits = total === undefined ? visitsOf[index] : counts.worstCaseOf(index, total);
    return atMost(calls, roundsOfVisits(perTurn, visits));
  });
  const isKnown = roundsOfOneRun !== undefined || total === undefined;
  const sum = sumOf(isKnown ? rounds : [...rounds, undefined]);
  return {
    states: callers.map(({ state, perTurn }, caller) => ({
      state: state.name.text,
      prompt: state.prompt?.key.text ?? null,
      composition: compositionName(state),
      /** `tool_policy.max_rounds`, per turn; of a composition, `max_steps` of all its agent steps. */
      maxRounds: perTurn === undefined || perTurn === Infinity ? null : perTurn,
      maxCallsPerTurn: state.prompt?.toolPolicy?.maxCallsPerTurn?.value ?? null,
      /** Also "unbounded" if `maxRounds` is not set, which leaves the limit to the runtime. */
      worstCaseRounds: toUpperBound(rounds[caller]),
    })),
    worstCaseRounds: toUpperBound(atMost(Math.min(calls, roundsOfOneRun ?? Infinity), sum)),
  };
}

function roundsOfVisits(perTurn: Bound, visits: Bound): Bound {
  if (visits === 0) return 0;
  return perTurn === Infinity ? Infinity : perTurn && visits && perTurn * visits;
}

function atMost(limit: number, bound: Bound): Bound {
  const least = Math.min(limit, bound ?? Infinity);
  return bound === undefined && least === Infinity ? undefined : least;
}

/** Assumes the worst of an unknown prompt; 0 if no tool can be called. */
function roundsPerTurn({ prompt, composition, runsComposition }: State, prompts: Pack["prompts"]): Bound {
  if (runsComposition) return roundsOfComposition(composition, prompts);
  if (prompt === undefined) return undefined;
  const { tools, toolPolicy } = prompt;
  if (tools.length === 0 || toolPolicy?.toolChoice?.text === "none") return 0;
  return toolPolicy?.maxRounds?.value ?? (toolPolicy?.maxRoundsUnclear === true ? undefined : Infinity);
}

/** The most rounds of tool calls in one turn: those of all its `agent` steps, as `prompt` steps call no tools. */
function roundsOfComposition(composition: Composition | undefined, prompts: Pack["prompts"]): Bound {
  if (composition?.isClear !== true) return undefined;
  let rounds = 0;
  for (const step of composition.allSteps) {
    if (step.kind === "vendor") return undefined;
    if (step.kind !== "agent") continue;
    const prompt = prompts.get(step.promptTask?.text ?? "");
    if (prompt === undefined) return undefined;
    // A step may call the tools that both it and its prompt list.
    const listed = new Set(prompt.tools.map(({ text }) => text));
    const mayCall = step.tools?.some(({ text }) => listed.has(text)) ?? listed.size > 0;
    if (mayCall) rounds += step.termination?.maxSteps?.value ?? Infinity;
  }
  return rounds;
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
    kind: kindText,
    prompt: textOf(promptTask),
    tool: textOf(tool),
    tools: tools?.map(({ text }) => text) ?? null,
    provider: textOf(provider),
    dependsOn: dependsOn.map(({ text }) => text),
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
    results: composition.steps.filter(mayBeResult).map(({ id }) => id.text),
    /** Answers that leave it without a result, so that it fails; `null` if there are none, or none is known. */
    withoutResult: answers?.map(({ branch, isYes }) => ({ branch: branch.id.text, answer: isYes })) ?? null,
  };
}

/** JSON lists every reader of an artifact with all its states, which can be billions of pairs in a small pack. */
const maxReaderPairs = 2_000_000;

export function excessiveReaderPairs({ workflow }: Inspection): number | undefined {
  const readers = (workflow?.artifacts ?? []).flatMap(({ readBy }) => readBy);
  const pairs = readers.reduce((sum, { states }) => sum + states.length, 0);
  return pairs > maxReaderPairs ? pairs : undefined;
}
