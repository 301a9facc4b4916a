import { at, components, cyclicGroups, digraph, hasCycleAmong } from "../graph/digraph.js";
import { reachable } from "../graph/paths.js";
import { getOrCreate, lazy } from "../text/collections.js";
import type { Facts, Loop } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { forcedExitOf, graphWithForcedExits, nextStates, targetsOf } from "./structure.js";

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
        machine.reading.forcedExits === "entered" || areExitsNeeded()
          ? []
          : guardsSpentOnEveryLap(machine, inFileOrder(nodes.map(stateOf)), guards),
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
  const countReached = (redirects: boolean): number => {
    const graph = graphWithForcedExits(machine, () => redirects);
    return reachable(graph, machine.roots).length;
  };
  return countReached(true) > countReached(false);
}

/** The groups of states in which runs can loop, guarded or not. */
export function cyclicStateGroups({ machine, entered, attemptedWhileSpent }: Facts) {
  const next = machine.states.map(({ index }) =>
    entered.has(index) ? nextStates(machine, index, attemptedWhileSpent?.has(index) !== false) : [],
  );
  return cyclicGroups(components(digraph(next)));
}

/** The guards that may stop a run after it enters one of these states; empty if unknown. */
export function stoppingGuards(facts: Facts, states: readonly number[]): readonly number[] {
  const { machine, attemptedWhileSpent: spent } = facts;
  const after = facts.statesAfter(states);
  if (spent === undefined || after === undefined) return [];
  const targets = [...new Set([...states, ...after])].flatMap((state) => targetsOf(machine, state));
  const attempted = new Set(targets.filter((state) => spent.has(state)));
  // Appended to while iterating.
  for (const state of attempted) {
    const exit = forcedExitOf(machine, state);
    if (spent.has(exit)) attempted.add(exit);
  }
  return inFileOrder(attempted).filter((state) => machine.states[state]?.forcedExit === undefined);
}

/**
 * Finds, for a guard that no run finds spent, the guards on its loops that are spent before it. If runs that these
 * redirect may come back, the loops that forced exits close count as well.
 */
export function guardsSpentEarlier({
  machine,
  attemptedWhileSpent: spent = new Set(),
}: Facts): (state: number) => readonly number[] {
  const byEvents = onSameLoop(machine, spent, () => false);
  const byExits = onSameLoop(machine, spent, (state) => spent.has(state));
  const passedAfter = new Map<number, ReadonlySet<number>>();
  const mayReturn = (guard: number, state: number): boolean => {
    const passed = getOrCreate(passedAfter, guard, () => statesAfterForcedExit(machine, spent, guard));
    return passed.size > maxStatesPassed || passed.has(state);
  };
  return (state) => {
    const near = byEvents(state);
    const isEnough = near !== undefined && !near.some((guard) => mayReturn(guard, state));
    return (isEnough ? near : byExits(state)) ?? [];
  };
}

const maxStatesPassed = 1000;

/** The states a redirected run may reach without entering the guarded state. */
function statesAfterForcedExit(machine: Machine, spent: ReadonlySet<number>, guard: number) {
  const passed = new Set([forcedExitOf(machine, guard)]);
  // Appended to while iterating.
  for (const state of passed) {
    if (passed.size > maxStatesPassed) break;
    const next = state === guard ? [] : nextStates(machine, state, spent.has(state));
    for (const reached of next) passed.add(reached);
  }
  return passed;
}

function onSameLoop(
  machine: Machine,
  candidates: ReadonlySet<number>,
  redirects: (state: number) => boolean,
): (state: number) => readonly number[] | undefined {
  const loops = components(graphWithForcedExits(machine, redirects));
  const byLoop: number[][] = [];
  for (const state of inFileOrder(candidates)) (byLoop[at(loops.of, state)] ??= []).push(state);
  return (state) => byLoop[at(loops.of, state)];
}
