import type { Trace } from "../diagnostic.js";
import { pathTo } from "../graph/paths.js";
import type { Facts } from "./facts.js";
import { stepsOf } from "./run.js";

/** Bounds the steps of all runs together. */
const maxSteps = 100_000;

/** A run that is traced only if it is shown. */
export interface Way {
  readonly steps: number;
  run(): Trace | undefined;
}

/**
 * The shortest run that enters each state by an event that counts, given the states it leads from and to; undefined if
 * there are too many runs to explore.
 */
export function waysIn(
  { exploration, machine }: Facts,
  counts: (from: number, to: number) => boolean,
): ReadonlyMap<number, Way> | undefined {
  if (exploration === undefined) return undefined;
  const { graph, stateOf, eventOf, reached } = exploration;
  const ways = new Map<number, Way>();
  let stepsLeft = maxSteps;
  const trace = (node: number, edge: number): Trace | undefined => {
    stepsLeft -= (reached.distance[node] ?? 0) + 1;
    if (stepsLeft < 0) return undefined;
    const { start, edges } = pathTo(reached, node);
    return {
      steps: stepsOf(
        machine,
        stateOf(start),
        [...edges, edge].map((each) => eventOf[each] ?? -1),
      ),
    };
  };
  // Nodes are numbered nearest first.
  for (let node = 0; node < graph.size; node++) {
    const end = graph.offsets[node + 1] ?? 0;
    for (let edge = graph.offsets[node] ?? 0; edge < end; edge++) {
      const state = stateOf(graph.targets[edge] ?? 0);
      if (ways.has(state) || !counts(stateOf(node), state)) continue;
      ways.set(state, { steps: (reached.distance[node] ?? 0) + 1, run: () => trace(node, edge) });
    }
  }
  return ways;
}
