import { type Components, isOnCycle } from "../../graph/components.js";
import { at } from "../../graph/digraph.js";
import type { Exploration } from "./explore.js";
import type { Loop } from "../facts.js";
import { lapAnalyzer } from "../laps.js";
import type { Machine } from "../machine.js";
import { findRegions } from "./regions.js";
import type { Witnesses } from "../witness.js";

/**
 * The loops that never have to end: cycles of configurations that `belong`, one for each set of states that go round
 * together.
 */
export function exactLoops(
  machine: Machine,
  exploration: Exploration,
  parts: Components,
  witnesses: Witnesses,
  belongs: (configuration: number) => boolean,
): readonly Loop[] {
  if (!parts.hasCycle) return [];
  const { graph, stateOf } = exploration;
  const together = (a: number, b: number): boolean => at(parts.of, a) === at(parts.of, b);
  const inLoop = (c: number): boolean => isOnCycle(parts, c) && belongs(c);
  const next = (c: number): readonly number[] =>
    graph.targets.slice(at(graph.offsets, c), at(graph.offsets, c + 1));
  const laps = lapAnalyzer(machine, next, stateOf);
  return findRegions(exploration, inLoop, together).map(({ states, configurations }) => {
    const witness = witnesses.lasso(configurations, together);
    return { states, witness, certain: true, ...laps(configurations) };
  });
}
