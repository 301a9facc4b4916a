import type { TraceStep } from "../diagnostic.js";
import {
  at,
  components,
  cyclicGroups,
  digraph,
  hasCycleAmong,
  isOnCycle,
  subgraph,
} from "../graph/digraph.js";
import { shortestCycle } from "../graph/paths.js";
import type { Loop, Trap, TrapClosure } from "./facts.js";
import { GuidedRuns, type LapStep, maxGuidedSteps, type Witnesses } from "./witnesses.js";
import { lapAnalyzer } from "./laps.js";
import { DANGLING, inFileOrder, type Machine } from "./machine.js";
import {
  forcedExitChains,
  forcedExitOf,
  isUnguarded,
  mostEntriesByGuards,
  type Structure,
  targetsOf,
} from "./structure.js";

/** Cycles among unguarded states, if every forced exit leads to the end of its chain. */
export function findStructuralLoops(
  machine: Machine,
  { certain }: Structure,
  exhausted: ExhaustedRuns,
  witnesses: Witnesses,
): readonly Loop[] {
  const { freeParts, parts, successorsOf } = exhausted;
  const isInFreeLoop = (state: number): boolean => certain.has(state) && isOnCycle(freeParts, state);
  const inOneFreePart = (a: number, b: number): boolean => freeParts.of[a] === freeParts.of[b];
  const guided = new GuidedRuns(machine);
  const lapsOf = lapAnalyzer(machine, successorsOf, (state) => state);

  return cyclicGroups(parts).map((states) => {
    const laps = lapsOf(states);
    const free = states.filter(isInFreeLoop);
    if (free.length > 0)
      return { states, witness: witnesses.lasso(free, inOneFreePart), certain: true, ...laps };
    const lap = shortestLapThrough(machine, at(states, 0), exhausted);
    if (lap === undefined) return { states, witness: undefined, certain: false, ...laps };
    const witness = guided.runAround(lap);
    const shown = lap.map((step) => toTraceStep(machine, step));
    return { states, witness, certain: witness !== undefined, ...laps, lap: shown };
  });
}

/** Steps and forced exits. */
const maxLapLength = 500;

/** The shortest lap through a state within its component, unless it is too long to show. */
function shortestLapThrough(
  machine: Machine,
  first: number,
  { graph, parts, arrivalsOf }: ExhaustedRuns,
): readonly LapStep[] | undefined {
  const isInside = (state: number): boolean => parts.of[state] === parts.of[first];
  const { edges } = shortestCycle(graph, first, isInside, maxLapLength);
  if (edges === undefined) return undefined;
  const lap: LapStep[] = [];
  let length = edges.length;
  for (const edge of edges) {
    const step = findLapStep(machine, lap.at(-1)?.to ?? first, at(graph.targets, edge), arrivalsOf);
    if (step === undefined || (length += step.forced.length) > maxLapLength) return undefined;
    lap.push(step);
  }
  return lap;
}

/** Takes the event whose guard is spent soonest; undefined if the chain of forced exits is too long. */
function findLapStep(
  machine: Machine,
  from: number,
  to: number,
  arrivalsOf: (target: number) => readonly number[],
): LapStep | undefined {
  const { states } = machine;
  const edges = states[from]?.edges ?? [];
  const visitsOf = (event: number): number => states[edges[event]?.target ?? DANGLING]?.maxVisits ?? 0;
  const [event] = edges
    .flatMap(({ target }, index) => (target !== DANGLING && arrivalsOf(target)[0] === to ? [index] : []))
    .sort((a, b) => visitsOf(a) - visitsOf(b) || a - b);
  if (event === undefined) return undefined;
  const forced: number[] = [];
  let state = edges[event]?.target;
  if (state !== undefined && machine.reading.forcedExits === "entered")
    return { from, event, forced: isUnguarded(machine, state) ? [] : [state], to };
  while (state !== undefined && state !== to) {
    forced.push(state);
    if (forced.length > maxLapLength) return undefined;
    state = states[state]?.forcedExit;
  }
  return { from, event, forced, to };
}

function toTraceStep({ states }: Machine, { from, event, forced, to }: LapStep): TraceStep {
  const name = (state: number): string => states[state]?.name ?? "";
  const step = { from: name(from), event: states[from]?.edges[event]?.event ?? "", to: name(to) };
  return forced.length === 0 ? step : { ...step, forced: forced.map(name) };
}

/** A loop that becomes a trap once its guards are spent. */
interface ClosingLoop extends Trap {
  /** Whether some lap may repeat while a run can still leave. */
  readonly hasEscapableLaps: boolean;
}

/** With more guards, `hasEscapableLaps` is assumed. */
const maxGuardsChecked = 16;

/**
 * The loops that no event leaves once every guard it attempts is spent. Every trap ends in one, since no run enters a
 * guarded state forever. Includes only loops that a guided run can enter.
 */
export function findClosingLoops(
  { machine }: Structure,
  exhausted: ExhaustedRuns,
  mayEnd: readonly number[],
  loops: readonly Loop[],
): ReadonlyMap<Loop, ClosingLoop> {
  const guided = new GuidedRuns(machine);
  const closing = new Map<Loop, ClosingLoop>();
  for (const loop of loops) {
    const { states } = loop;
    if (!neverLeavesWhenExhausted(machine, exhausted, states)) continue;
    const attempted = guardsAttemptedFrom(machine, states);
    const witness = attempted && guided.runInto(new Set(states), attempted);
    if (attempted === undefined || witness === undefined) continue;
    const guards = inFileOrder(attempted).filter((guard) => mayEnd[guard] === 1);
    const hasEscapableLaps =
      machine.reading.forcedExits === "entered" ||
      guards.length > maxGuardsChecked ||
      guards.some(canAvoidGuard(machine, [...states, ...attempted]));
    const closedBy = (): readonly TrapClosure[] => [{ states, guards }];
    closing.set(loop, { states, witness, closedBy, sinkLoops: () => [states], hasEscapableLaps });
  }
  return closing;
}

function neverLeavesWhenExhausted(
  { states }: Machine,
  { parts, arrivalsOf }: ExhaustedRuns,
  loop: readonly number[],
): boolean {
  const isBack = (from: number, to: number | undefined): boolean =>
    to !== undefined && parts.of[to] === parts.of[from];
  return loop.every((from) => states[from]?.edges.every(({ target }) => isBack(from, arrivalsOf(target)[0])));
}

/** The guards that events of a loop attempt; undefined if a guided run cannot spend them all. */
function guardsAttemptedFrom(machine: Machine, loop: readonly number[]): ReadonlySet<number> | undefined {
  const guards = new Set<number>();
  let visits = 0;
  for (const target of loop.flatMap((state) => targetsOf(machine, state))) {
    let guard = target;
    while (!isUnguarded(machine, guard) && !guards.has(guard)) {
      guards.add(guard);
      visits += machine.states[guard]?.maxVisits ?? 0;
      if (visits > maxGuidedSteps) return undefined;
      guard = forcedExitOf(machine, guard);
    }
  }
  return guards;
}

/** Tests whether laps over these states and spent guards can avoid one of the guards. */
function canAvoidGuard(machine: Machine, passed: readonly number[]): (guard: number) => boolean {
  const next = (state: number): readonly number[] =>
    isUnguarded(machine, state) ? targetsOf(machine, state) : [forcedExitOf(machine, state)];
  return (guard) => {
    const others = passed.filter((state) => state !== guard);
    return hasCycleAmong(others, next);
  };
}

/** How runs continue once every guard is spent: between unguarded states, by events and forced exits. */
type ExhaustedRuns = ReturnType<typeof exhaustedRuns>;

export function exhaustedRuns(
  { machine, all, events, mayBeSpent, entered }: Structure,
  belongs: (state: number) => boolean = () => true,
) {
  const chains = forcedExitChains(machine);
  /** The unguarded state that an attempt enters; empty if there is none, or if the guard is never spent. */
  const arrivalsOf = (target: number): readonly number[] => {
    if (isUnguarded(machine, target)) return [target];
    const end = mayBeSpent.has(target) ? chains[target] : undefined;
    return end?.kind === "enters" ? [end.state] : [];
  };
  const isFree = (state: number): boolean => belongs(state) && isUnguarded(machine, state);
  const mostEntries = mostEntriesByGuards(machine);
  const successorsOf = (state: number): readonly number[] =>
    belongs(state) && mostEntries(state) === Infinity && entered.has(state)
      ? targetsOf(machine, state).flatMap(arrivalsOf).filter(belongs)
      : [];
  const graph = digraph(all.map(successorsOf));
  return {
    graph,
    parts: components(graph),
    /** Those of the event edges between unguarded states, which can be taken any number of times. */
    freeParts: components(subgraph(events, isFree)),
    arrivalsOf,
    successorsOf,
  };
}
