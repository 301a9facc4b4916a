import { components, cyclicGroups, hasCycleAmong } from "../graph/components.js";
import { digraph } from "../graph/digraph.js";
import { reachable } from "../graph/reachability.js";
import { lazy } from "../text/collections.js";
import type { Facts, Loop } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { graphWithForcedExits, nextStates } from "./structure.js";

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

/** Forced exits that are followed one after another; of a longer chain it is not told what it passes. */
const maxForcedExitChain = 50;

/**
 * Those of these guards that every lap over the states of a loop finds spent. No lap enters a guarded state: that would
 * use the guard up, and the run would not come back to where it was. So each guard that an event meets hands the run on.
 */
function guardsSpentOnEveryLap(
  { states }: Machine,
  loop: readonly number[],
  guards: readonly number[],
): readonly number[] {
  const arrivals = (from: number, attempted: number, avoided: number): readonly number[] => {
    let current = attempted;
    for (let passed = 0; passed <= maxForcedExitChain; passed++) {
      const state = states[current];
      if (state === undefined || current === avoided) return [];
      if (state.maxVisits === undefined || state.ends) return [current];
      if (state.forcedExit === undefined) return [];
      current = state.forcedExit;
    }
    return [from];
  };
  return guards.filter((guard) => {
    const next = (from: number): readonly number[] =>
      (states[from]?.edges ?? []).flatMap(({ target }) => arrivals(from, target, guard));
    return !hasCycleAmong(loop, next);
  });
}

/**
 * Whether forced exits are the only way to some state. Where they are not, any of them may lead elsewhere: a way of events
 * that passes no state twice meets no guard spent.
 */
function needsForcedExits(machine: Machine): boolean {
  const reached = (byForce: boolean) =>
    reachable(
      graphWithForcedExits(machine, () => byForce),
      machine.roots,
    );
  const byEvents = reached(false);
  return reached(true).some((mark, state) => mark !== byEvents[state]);
}

/** The parts of a workflow in which runs can go round, guarded or not: the states of each in file order. */
export function cyclicStateGroups({
  machine,
  entered,
  attemptedWhileSpent,
}: Facts): readonly (readonly number[])[] {
  const next = machine.states.map(({ index }) =>
    entered.has(index) ? nextStates(machine, index, attemptedWhileSpent?.has(index) !== false) : [],
  );
  return cyclicGroups(components(digraph(next)));
}
