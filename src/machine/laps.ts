import { components, cyclicGroups, hasCycleAmong } from "../graph/components.js";
import { digraph } from "../graph/digraph.js";
import { reachable } from "../graph/reachability.js";
import { lazy } from "../text/collections.js";
import type { Facts, Loop } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { graphWithForcedExits, nextStates } from "./structure.js";

/** Limits the search for states on every lap, over all loops of a workflow. */
const maxNodesVisited = 20_000;

/** Answers questions about the laps over some nodes, each a visit to a state, for the loops of one workflow. */
export function lapAnalyzer(
  machine: Machine,
  next: (node: number) => readonly number[],
  stateOf: (node: number) => number,
): (nodes: readonly number[]) => Pick<Loop, "canAvoid" | "onEveryLap" | "spentOnEveryLap"> {
  let nodesLeft = maxNodesVisited;
  const areExitsNeeded = lazy(() => needsForcedExits(machine));
  return (nodes) => {
    const canAvoid = (avoided: ReadonlySet<number>): boolean =>
      hasCycleAmong(
        nodes.filter((node) => !avoided.has(stateOf(node))),
        next,
      );
    return {
      canAvoid,
      onEveryLap: (states) =>
        states.filter((state) => {
          if (nodes.length > nodesLeft) return false;
          nodesLeft -= nodes.length;
          return !canAvoid(new Set([state]));
        }),
      spentOnEveryLap: (guards) =>
        areExitsNeeded() ? [] : guardsSpentOnEveryLap(machine, inFileOrder(nodes.map(stateOf)), guards),
    };
  };
}

/** Longer chains of forced exits are not followed. */
const maxForcedExitChain = 50;

/**
 * The given guards that every lap finds spent. No lap enters a guarded state, since its count would never return to
 * where it was; so each guard that an event attempts redirects the run.
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
 * Whether some state is reached by forced exits only. If not, every forced exit may be changed: a path of events that
 * enters no state twice finds no guard spent.
 */
function needsForcedExits(machine: Machine): boolean {
  const reached = (redirects: boolean) =>
    reachable(
      graphWithForcedExits(machine, () => redirects),
      machine.roots,
    );
  const byEvents = reached(false);
  return reached(true).some((mark, state) => mark !== byEvents[state]);
}

/** The groups of states in which runs can loop, guarded or not. */
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
