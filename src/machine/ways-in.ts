import type { Trace } from "../diagnostic.js";
import { pathTo } from "../graph/paths.js";
import type { Facts } from "./facts.js";
import { stepsOf } from "./run.js";

/** Bounds the steps of all runs together. */
const maxSteps = 100_000;

/**
 * The shortest run that enters each state by an event that counts, by the states it leads from and to; undefined where not
 * every run was explored.
 */
export function waysIn(
  { exploration, machine }: Facts,
  counts: (from: number, to: number) => boolean,
): ReadonlyMap<number, () => Trace | undefined> | undefined {
  if (exploration === undefined) return undefined;
  const { graph, stateOf, eventOf, reached } = exploration;
  const ways = new Map<number, () => Trace | undefined>();
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
      if (!ways.has(state) && counts(stateOf(node), state)) ways.set(state, () => trace(node, edge));
    }
  }
  return ways;
}
