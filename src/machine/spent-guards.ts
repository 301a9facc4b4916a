import { components } from "../graph/components.js";
import { at } from "../graph/digraph.js";
import { getOrCreate } from "../text/collections.js";
import type { Facts } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { forcedExitOf, graphWithForcedExits, nextStates, targetsOf } from "./structure.js";

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
function statesAfterForcedExit(
  machine: Machine,
  spent: ReadonlySet<number>,
  guard: number,
): ReadonlySet<number> {
  const passed = new Set([forcedExitOf(machine, guard)]);
  // Appended to while iterating.
  for (const state of passed) {
    if (passed.size > maxStatesPassed) break;
    const next = state === guard ? [] : nextStates(machine, state, spent.has(state));
    for (const reached of next) passed.add(reached);
  }
  return passed;
}

/** Finds those of the candidates that share a loop with a state. */
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
