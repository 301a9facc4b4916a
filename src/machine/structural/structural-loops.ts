import type { TraceStep } from "../../diagnostic.js";
import { cyclicGroups, isOnCycle } from "../../graph/components.js";
import { at, type Digraph } from "../../graph/digraph.js";
import { shortestCycle } from "../../graph/shortest-way.js";
import type { Loop } from "../facts.js";
import { GuidedRuns, type LapStep } from "./guided-runs.js";
import { lapAnalyzer } from "../laps.js";
import { DANGLING, type Machine } from "../machine.js";
import type { ExhaustedRuns } from "./settled-runs.js";
import { isUnguarded, type Structure } from "./structure.js";
import type { Witnesses } from "../witness.js";

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
    const lap = shortestLapThrough(at(states, 0), graph, parts.of, (from, to) => findLapStep(machine, from, to, arrivalsOf));
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
