import { components } from "../graph/components.js";
import { at } from "../graph/digraph.js";
import { getOrCreate } from "../text/collections.js";
import type { Facts } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { forcedExitOf, graphWithForcedExits, nextStates, targetsOf } from "./structure.js";

/** The guards that may stop a run which comes to the given states, in file order; none where that is not known. */
export function stoppingGuards(facts: Facts, states: readonly number[]): readonly number[] {
  const { machine, attemptedWhileSpent } = facts;
  const after = facts.statesAfter(states);
  if (attemptedWhileSpent === undefined || after === undefined) return [];
  const tried = [...new Set([...states, ...after])].flatMap((state) => targetsOf(machine, state));
  const met = attemptedStates(machine, tried, (state) => attemptedWhileSpent.has(state));
  return inFileOrder(met).filter((state) => machine.states[state]?.forcedExit === undefined);
}

/**
 * Asks of a guard that no run meets spent which others stand on its loops, or where these do not stop a run, on those
 * that forced exits close: each of these loops has one that is spent sooner, or runs could go round until this one is.
 */
export function guardsSpentEarlier({
  machine,
  attemptedWhileSpent = new Set(),
}: Facts): (state: number) => readonly number[] {
  const byEvents = onSameLoop(attemptedWhileSpent, machine, () => false);
  const byExits = onSameLoop(attemptedWhileSpent, machine, (state) => attemptedWhileSpent.has(state));
  const passedAfter = new Map<number, ReadonlySet<number>>();
  /** Whether a run that a spent guard hands on may still come to a state. */
  const comesBy = (guard: number, state: number): boolean => {
    const passed = getOrCreate(passedAfter, guard, () =>
      statesAfterForcedExit(machine, attemptedWhileSpent, guard),
    );
    return passed.size > maxStatesPassed || passed.has(state);
  };
  return (state) => {
    const near = byEvents(state);
    const isEnough = near !== undefined && !near.some((guard) => comesBy(guard, state));
    return (isEnough ? near : byExits(state)) ?? [];
  };
}

/** Farther than that nobody looks. */
const maxStatesPassed = 1000;

/** Where a run may come that a spent guard hands on, without entering what is guarded. */
function statesAfterForcedExit(
  machine: Machine,
  spent: ReadonlySet<number>,
  guard: number,
): ReadonlySet<number> {
  const passed = new Set([forcedExitOf(machine, guard)]);
  // It grows while it is walked.
  for (const state of passed) {
    if (passed.size > maxStatesPassed) break;
    const next = state === guard ? [] : nextStates(machine, state, spent.has(state));
    for (const reached of next) passed.add(reached);
  }
  return passed;
}

/** Which of some states stand on the loops of a state. */
function onSameLoop(
  some: ReadonlySet<number>,
  machine: Machine,
  handsOn: (state: number) => boolean,
): (state: number) => readonly number[] | undefined {
  const loops = components(graphWithForcedExits(machine, handsOn));
  const found: number[][] = [];
  for (const state of inFileOrder(some)) (found[at(loops.of, state)] ??= []).push(state);
  return (state) => found[at(loops.of, state)];
}

/** The given states, and those that forced exits lead to in their stead, as far as they count. */
function attemptedStates(
  { states }: Machine,
  first: readonly number[],
  counts: (state: number) => boolean,
): ReadonlySet<number> {
  const met = new Set(first.filter(counts));
  // It grows while it is walked.
  for (const state of met) {
    const exit = states[state]?.forcedExit;
    if (exit !== undefined && counts(exit)) met.add(exit);
  }
  return met;
}
