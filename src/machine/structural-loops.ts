import type { TraceStep } from "../diagnostic.js";
import { type Components, components, cyclicGroups, hasCycleAmong, isOnCycle } from "../graph/components.js";
import { at, type Digraph, digraph } from "../graph/digraph.js";
import { shortestCycle } from "../graph/shortest-paths.js";
import type { Loop, Trap, TrapClosure } from "./facts.js";
import { GuidedRuns, type LapStep, maxGuidedSteps } from "./guided-runs.js";
import { lapAnalyzer } from "./laps.js";
import { DANGLING, inFileOrder, type Machine } from "./machine.js";
import { forcedExitChains, forcedExitOf, isUnguarded, type Structure, targetsOf } from "./structure.js";
import type { Witnesses } from "./witnesses.js";

/** Cycles among unguarded states, once every forced exit is taken to lead where its chain ends. */
export function findStructuralLoops(
  machine: Machine,
  { certain, unguardedParts }: Structure,
  { graph, parts, arrivalsOf, successorsOf }: ExhaustedRuns,
  witnesses: Witnesses,
): readonly Loop[] {
  const isInFreeLoop = (state: number): boolean =>
    certain[state] === 1 && isUnguarded(machine, state) && isOnCycle(unguardedParts, state);
  const inOneFreePart = (a: number, b: number): boolean =>
    isUnguarded(machine, b) && unguardedParts.of[a] === unguardedParts.of[b];
  const guided = new GuidedRuns(machine);
  const lapsOf = lapAnalyzer(machine, successorsOf, (state) => state);

  return cyclicGroups(parts).map((states) => {
    const laps = lapsOf(states);
    const free = states.filter(isInFreeLoop);
    if (free.length > 0)
      return { states, witness: witnesses.lasso(free, inOneFreePart), certain: true, ...laps };
    const lap = shortestLapThrough(at(states, 0), graph, parts.of, (from, to) =>
      findLapStep(machine, from, to, arrivalsOf),
    );
    if (lap === undefined) return { states, witness: undefined, certain: false, ...laps };
    const witness = guided.runAround(lap);
    const shown = lap.map((step) => toTraceStep(machine, step));
    return { states, witness, certain: witness !== undefined, ...laps, lap: shown };
  });
}

/** Steps and forced exits of a lap that is shown. */
const maxLapLength = 500;

/** The shortest way round through a state, over those of its part; nothing where it is too long to be shown. */
function shortestLapThrough(
  first: number,
  graph: Digraph,
  partOf: readonly number[],
  stepOf: (from: number, to: number) => LapStep | undefined,
): readonly LapStep[] | undefined {
  const isInside = (state: number): boolean => partOf[state] === partOf[first];
  const { edges } = shortestCycle(graph, first, isInside, maxLapLength);
  if (edges === undefined) return undefined;
  const lap: LapStep[] = [];
  let length = edges.length;
  for (const edge of edges) {
    const step = stepOf(lap.at(-1)?.to ?? first, at(graph.targets, edge));
    if (step === undefined || (length += step.forced.length) > maxLapLength) return undefined;
    lap.push(step);
  }
  return lap;
}

/** By the event whose guard is spent soonest; nothing where too many hand the run on. */
function findLapStep(
  { states }: Machine,
  from: number,
  to: number,
  arrives: (target: number) => readonly number[],
): LapStep | undefined {
  const edges = states[from]?.edges ?? [];
  const visitsOf = (event: number): number => states[edges[event]?.target ?? DANGLING]?.maxVisits ?? 0;
  const [event] = edges
    .flatMap(({ target }, index) => (target !== DANGLING && arrives(target)[0] === to ? [index] : []))
    .sort((a, b) => visitsOf(a) - visitsOf(b) || a - b);
  if (event === undefined) return undefined;
  const forced: number[] = [];
  for (
    let state = edges[event]?.target;
    state !== undefined && state !== to;
    state = states[state]?.forcedExit
  ) {
    forced.push(state);
    if (forced.length > maxLapLength) return undefined;
  }
  return { from, event, forced, to };
}

function toTraceStep({ states }: Machine, { from, event, forced, to }: LapStep): TraceStep {
  const name = (state: number): string => states[state]?.name ?? "";
  const step = { from: name(from), event: states[from]?.edges[event]?.event ?? "", to: name(to) };
  return forced.length === 0 ? step : { ...step, forced: forced.map(name) };
}

/** A loop that becomes a trap on the way. */
interface ClosingLoop extends Trap {
  /** Whether some lap may go round while a run can still leave. */
  readonly hasEscapableLaps: boolean;
}

/** Of more guards, it is not worked out whether each lap passes them all. */
const maxGuardsChecked = 16;

/**
 * The loops out of which no event leads once every guard that it meets is spent: whatever traps runs ends in one, as no
 * run enters a guarded state for ever. Told are those that a guided run gets into. `mayEnd` marks the states from which
 * some run may end.
 */
export function findClosingLoops(
  { machine }: Structure,
  settled: ExhaustedRuns,
  mayEnd: readonly number[],
  loops: readonly Loop[],
): ReadonlyMap<Loop, ClosingLoop> {
  const guided = new GuidedRuns(machine);
  const shut = new Map<Loop, ClosingLoop>();
  for (const loop of loops) {
    const { states } = loop;
    const doors = neverLeavesWhenExhausted(machine, settled, states)
      ? guardsAttemptedFrom(machine, states)
      : undefined;
    const witness = doors && guided.runInto(new Set(states), doors);
    if (doors === undefined || witness === undefined) continue;
    const guards = inFileOrder(doors).filter((door) => mayEnd[door] === 1);
    const hasEscapableLaps =
      guards.length > maxGuardsChecked || guards.some(canAvoidGuard(machine, [...states, ...doors]));
    const closedBy = (): readonly TrapClosure[] => [{ states, guards }];
    shut.set(loop, { states, witness, closedBy, sinkLoops: () => [states], hasEscapableLaps });
  }
  return shut;
}

/** Whether no event leads out of a loop while every guard is spent. */
function neverLeavesWhenExhausted(
  { states }: Machine,
  { parts, arrivalsOf }: ExhaustedRuns,
  loop: readonly number[],
): boolean {
  const isBack = (from: number, to: number | undefined): boolean =>
    to !== undefined && parts.of[to] === parts.of[from];
  return loop.every((from) => states[from]?.edges.every(({ target }) => isBack(from, arrivalsOf(target)[0])));
}

/** The guards that events of a loop meet; nothing where no run that is shown is long enough to spend them. */
function guardsAttemptedFrom(machine: Machine, loop: readonly number[]): ReadonlySet<number> | undefined {
  const doors = new Set<number>();
  let visits = 0;
  for (const target of loop.flatMap((state) => targetsOf(machine, state))) {
    for (
      let door = target;
      !isUnguarded(machine, door) && !doors.has(door);
      door = forcedExitOf(machine, door)
    ) {
      doors.add(door);
      visits += machine.states[door]?.maxVisits ?? 0;
      if (visits > maxGuidedSteps) return undefined;
    }
  }
  return doors;
}

/** Whether laps over these states and spent guards can do without one of the guards. */
function canAvoidGuard(machine: Machine, passed: readonly number[]): (guard: number) => boolean {
  const next = (state: number): readonly number[] =>
    isUnguarded(machine, state) ? targetsOf(machine, state) : [forcedExitOf(machine, state)];
  return (guard) =>
    hasCycleAmong(
      passed.filter((state) => state !== guard),
      next,
    );
}

/** How runs go on once every guard they meet is spent: between unguarded states, by events and forced exits. */
interface ExhaustedRuns {
  readonly graph: Digraph;
  readonly parts: Components;
  /** The unguarded state where an attempt arrives; none where it may not, or where no run meets the guard spent. */
  readonly arrivalsOf: (target: number) => readonly number[];
  readonly successorsOf: (state: number) => readonly number[];
}

export function exhaustedRuns({ machine, all, mayBeSpent, entered }: Structure): ExhaustedRuns {
  const chains = forcedExitChains(machine);
  const arrivalsOf = (target: number): readonly number[] => {
    if (isUnguarded(machine, target)) return [target];
    const end = mayBeSpent[target] === 1 ? chains[target] : undefined;
    return end?.kind === "enters" ? [end.state] : [];
  };
  const successorsOf = (state: number): readonly number[] =>
    isUnguarded(machine, state) && entered[state] === 1 ? targetsOf(machine, state).flatMap(arrivalsOf) : [];
  const graph = digraph(all.map(successorsOf));
  return { graph, parts: components(graph), arrivalsOf, successorsOf };
}
