import type { Machine, MachineState } from "./machine.js";

/** What becomes of an attempt to enter a state. `forced` lists the spent states it passed through, in order. */
export type Outcome =
  | { readonly kind: "entered"; readonly state: number; readonly forced: readonly number[] }
  /** Spent, and no `on_max_visits`: the run ends, but is not complete. */
  | { readonly kind: "stopped"; readonly forced: readonly number[] }
  /** Forced exits lead back to a state already tried in this attempt. */
  | { readonly kind: "stuck"; readonly forced: readonly number[] }
  /** The name leads to no state. */
  | { readonly kind: "dangling"; readonly forced: readonly number[] };

/** Whether its guard keeps a run from entering it again. */
export function isSpent({ index, maxVisits }: MachineState, visits: (state: number) => number): boolean {
  return maxVisits !== undefined && visits(index) >= maxVisits;
}

/**
 * The one step of every run: a state is entered unless its guard is spent; then its `on_max_visits` is attempted
 * instead, by this same rule (RFC 0009, rule 2 speaks of chains of forced exits).
 */
export function attempt(machine: Machine, target: number, visits: (state: number) => number): Outcome {
  const tried = new Set<number>();
  for (let current = target; ;) {
    const state = machine.states[current];
    if (state === undefined) return { kind: "dangling", forced: [...tried] };
    if (!isSpent(state, visits)) return { kind: "entered", state: current, forced: [...tried] };
    if (tried.has(current)) return { kind: "stuck", forced: [...tried] };
    tried.add(current);
    if (state.forcedExit === undefined) return { kind: "stopped", forced: [...tried] };
    current = state.forcedExit;
  }
}
