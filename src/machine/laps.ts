import { hasCycleAmong } from "../graph/cycle-among.js";
import type { Loop } from "./facts.js";

/** Nodes that may be looked at to find the states that every lap enters: more than that takes longer than it helps. */
const mostLookedAt = 200_000;

/** What can be asked of the laps over some nodes, each a visit to a state. */
export function lapsOver(
  nodes: readonly number[],
  next: (node: number) => readonly number[],
  stateOf: (node: number) => number,
): Pick<Loop, "canAvoid" | "onEveryLap"> {
  const canAvoid = (avoided: ReadonlySet<number>): boolean =>
    hasCycleAmong(
      nodes.filter((node) => !avoided.has(stateOf(node))),
      next,
    );
  const onEveryLap = (states: readonly number[]): readonly number[] =>
    states.slice(0, mostLookedAt / nodes.length).filter((state) => !canAvoid(new Set([state])));
  return { canAvoid, onEveryLap };
}
