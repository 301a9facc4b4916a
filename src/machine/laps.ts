import { hasCycleAmong } from "../graph/cycle-among.js";
import { lazy } from "../maps/once.js";
import type { Loop } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { needsForcedExits, guardsSpentOnEveryLap } from "./spent-on-laps.js";

/** Nodes that are looked at to find the states that every lap enters: more than that takes longer than it helps. */
const maxNodesVisited = 20_000;

/** For the loops of one workflow: what can be asked of the laps over some nodes, each a visit to a state. */
export function lapAnalyzer(
  machine: Machine,
  next: (node: number) => readonly number[],
  stateOf: (node: number) => number,
): (nodes: readonly number[]) => Pick<Loop, "canAvoid" | "onEveryLap" | "spentOnEveryLap"> {
  let left = maxNodesVisited;
  const areExitsNeeded = lazy(() => needsForcedExits(machine));
  return (nodes) => {
    const canAvoid = (avoided: ReadonlySet<number>): boolean =>
      hasCycleAmong(
        nodes.filter((node) => !avoided.has(stateOf(node))),
        next,
      );
    const onEveryLap = (states: readonly number[]): readonly number[] =>
      states.filter((state) => {
        if (nodes.length > left) return false;
        left -= nodes.length;
        return !canAvoid(new Set([state]));
      });
    return {
      canAvoid,
      onEveryLap,
      spentOnEveryLap: (guards) =>
        areExitsNeeded() ? [] : guardsSpentOnEveryLap(machine, inFileOrder(nodes.map(stateOf)), guards),
    };
  };
}
