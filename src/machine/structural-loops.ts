import type { TraceStep } from "../diagnostic.js";
import { components } from "../graph/components.js";
import { hasCycleAmong } from "../graph/cycle-among.js";
import { at, type Digraph, digraph } from "../graph/digraph.js";
import { shortestCycle } from "../graph/shortest-cycle.js";
import type { Loop } from "./facts.js";
import { forcedExitChains } from "./forced-exits.js";
import { grouped } from "./grouped.js";
import { GuidedRuns, type LapStep } from "./guided-runs.js";
import type { Machine } from "./machine.js";
import { isFree, type Structure, targetsOf } from "./structure.js";
import type { Witnesses } from "./witness.js";

/** Cycles among unguarded states, once every forced exit is taken to lead where its chain ends. */
export function structuralLoops(
  machine: Machine,
  structure: Structure,
  witnesses: Witnesses,
): readonly Loop[] {
  const { all, metAgain, entered, certain, freeParts } = structure;
  const chains = forcedExitChains(structure.machine);
  const settle = (target: number): readonly number[] => {
    if (isFree(structure.machine, target)) return [target];
    const end = metAgain[target] === 1 ? chains[target] : undefined;
    return end?.kind === "enters" ? [end.state] : [];
  };
  const canLoop = (state: number): boolean => isFree(structure.machine, state) && entered[state] === 1;
  const next = (state: number): readonly number[] =>
    canLoop(state) ? targetsOf(structure.machine, state).flatMap(settle) : [];
  const graph = digraph(all.map(next));
  const parts = components(graph);
  const looping = all.filter((state) => at(parts.cyclic, at(parts.of, state)) === 1);

  const isInFreeLoop = (state: number): boolean =>
    certain[state] === 1 && isFree(machine, state) && at(freeParts.cyclic, at(freeParts.of, state)) === 1;
  const inOneFreePart = (a: number, b: number): boolean =>
    isFree(machine, b) && freeParts.of[a] === freeParts.of[b];
  const guided = new GuidedRuns(machine);

  return grouped(looping, parts.of).map((states) => {
    const canAvoid = (avoided: ReadonlySet<number>): boolean =>
      hasCycleAmong(
        states.filter((state) => !avoided.has(state)),
        next,
      );
    const free = states.filter(isInFreeLoop);
    if (free.length > 0)
      return { states, witness: witnesses.lasso(free, inOneFreePart), certain: true, canAvoid };
    const lap = lapThrough(at(states, 0), graph, parts.of, (from, to) => stepOf(machine, from, to, settle));
    const witness = guided.into(lap);
    return {
      states,
      witness,
      certain: witness !== undefined,
      canAvoid,
      lap: lap.map((step) => words(machine, step)),
    };
  });
}

/** The shortest way round through a state, over those of its part. */
function lapThrough(
  first: number,
  graph: Digraph,
  partOf: readonly number[],
  stepOf: (from: number, to: number) => LapStep,
): readonly LapStep[] {
  const { edges = [] } = shortestCycle(graph, first, (state) => partOf[state] === partOf[first]);
  let from = first;
  return edges.map((edge) => {
    const step = stepOf(from, at(graph.targets, edge));
    from = step.to;
    return step;
  });
}

function stepOf(
  { states }: Machine,
  from: number,
  to: number,
  settle: (target: number) => readonly number[],
): LapStep {
  const edges = states[from]?.edges ?? [];
  const event = edges.findIndex(({ target }) => target >= 0 && settle(target)[0] === to);
  const forced: number[] = [];
  for (
    let state = edges[event]?.target;
    state !== undefined && state !== to;
    state = states[state]?.forcedExit
  )
    forced.push(state);
  return { from, event, forced, to };
}

function words({ states }: Machine, { from, event, forced, to }: LapStep): TraceStep {
  const name = (state: number): string => states[state]?.name ?? "";
  const step = { from: name(from), event: states[from]?.edges[event]?.event ?? "", to: name(to) };
  return forced.length === 0 ? step : { ...step, forced: forced.map(name) };
}
