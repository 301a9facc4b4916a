import { at } from "../graph/digraph.js";
import type { Exploration } from "./explore.js";
import { DANGLING, type Machine } from "./machine.js";

/**
 * The guards that shut in a run which is caught in this configuration, in file order: they are spent there, it tries
 * them again, and they would lead to an end. Where some of them do so while the others stay spent, only these are named.
 */
export function closingGuards(machine: Machine, exploration: Exploration, caught: number): readonly number[] {
  const tried = triedAgain(machine, exploration, caught);
  if (tried.length === 0) return [];
  const spent = new Map<number, boolean>();
  const isSpent = (state: number): boolean => {
    const known = spent.get(state) ?? exploration.isSpentIn(state, caught);
    spent.set(state, known);
    return known;
  };
  const doors = tried.filter(isSpent);
  const alone = new Set(doors.filter((guard) => mayEndAfter(machine, guard, isSpent)));
  const here = exploration.stateOf(caught);
  if (!mayEndAfter(machine, here, (state) => alone.has(state))) return [...alone];
  return doors.filter((guard) => mayEndAfter(machine, guard, () => false));
}

/** The states that a run attempts while they are spent, from this configuration on, in file order. */
function triedAgain(
  { states }: Machine,
  { graph, stateOf, isSpentIn }: Exploration,
  caught: number,
): readonly number[] {
  const tried = new Set<number>();
  // It grows while it is walked. All that is reached is as caught: nobody else walks here.
  const reached = new Set([caught]);
  for (const configuration of reached) {
    for (const { target } of states[stateOf(configuration)]?.edges ?? []) {
      for (let state = target; isSpentIn(state, configuration); state = states[state]?.forcedExit ?? DANGLING)
        tried.add(state);
    }
    const end = at(graph.offsets, configuration + 1);
    for (let edge = at(graph.offsets, configuration); edge < end; edge++)
      reached.add(at(graph.targets, edge));
  }
  return [...tried].sort((a, b) => a - b);
}

/** Whether a run may end, in any way, after it was in a state, if some others only hand it on. */
function mayEndAfter({ states }: Machine, first: number, handsOn: (state: number) => boolean): boolean {
  const targetsOf = (state: number): readonly number[] =>
    (states[state]?.edges ?? []).map(({ target }) => target);
  const attempted = new Set(targetsOf(first));
  for (const index of attempted) {
    const state = states[index];
    if (state === undefined || (state.ends && !handsOn(index))) return true;
    if (!handsOn(index)) for (const target of targetsOf(index)) attempted.add(target);
    // A guard that hands over to nothing ends the run as well.
    if (state.maxVisits !== undefined) attempted.add(state.forcedExit ?? DANGLING);
  }
  return false;
}
