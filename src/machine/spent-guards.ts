import type { Facts } from "./facts.js";
import type { Machine } from "./machine.js";

/** The guards that may stop a run which comes to the given states, in file order; none where that is not known. */
export function stoppingGuards(facts: Facts, states: readonly number[]): readonly number[] {
  const { machine, metSpent } = facts;
  const after = facts.statesAfter(states);
  if (metSpent === undefined || after === undefined) return [];
  const met = attempted(machine, new Set([...states, ...after]), (state) => metSpent.has(state));
  return met.filter((state) => machine.states[state]?.forcedExit === undefined);
}

/** The guarded states that events of a region lead to, but that no caught run can enter any more, in file order. */
export function spentWaysOut({ machine }: Facts, region: readonly number[]): readonly number[] {
  const inside = new Set(region);
  // What a spent state hands over to is spent too, or inside.
  return attempted(machine, region, (state) => !inside.has(state));
}

/** The states that events of the given ones attempt, or forced exits in their stead, as far as they count. */
function attempted(
  { states }: Machine,
  from: Iterable<number>,
  counts: (state: number) => boolean,
): readonly number[] {
  const met = new Set<number>();
  const meet = (state: number | undefined): void => {
    if (state !== undefined && counts(state)) met.add(state);
  };
  for (const state of from) for (const { target } of states[state]?.edges ?? []) meet(target);
  // It grows while it is walked.
  for (const state of met) meet(states[state]?.forcedExit);
  return [...met].sort((a, b) => a - b);
}
