import { hasCycleAmong } from "../graph/cycle-among.js";
import { reachable } from "../graph/reachability.js";
import type { Machine } from "./machine.js";
import { graphWithForcedExits } from "./structural/structure.js";

/** Forced exits that are followed one after another; of a longer chain it is not told what it passes. */
const maxForcedExitChain = 50;

/**
 * Those of these guards that every lap over the states of a loop finds spent. No lap enters a guarded state: that would
 * use the guard up, and the run would not come back to where it was. So each guard that an event meets hands the run on.
 */
export function guardsSpentOnEveryLap(
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
export function needsForcedExits(machine: Machine): boolean {
  const reached = (byForce: boolean) =>
    reachable(
      graphWithForcedExits(machine, () => byForce),
      machine.roots,
    );
  const byEvents = reached(false);
  return reached(true).some((mark, state) => mark !== byEvents[state]);
}
