import { filled } from "../graph/digraph.js";
import type { ChainEnd, Witnessed } from "./facts.js";
import { DANGLING, type Machine } from "./machine.js";

/** Follows forced exits from each guarded state, taking every guarded state on the way as spent. Linear in all. */
export function forcedExitChains(machine: Machine): readonly (ChainEnd | undefined)[] {
  const ends = new Array<ChainEnd | undefined>(machine.states.length).fill(undefined);
  const rings = new Set(forcedExitCycles(machine).flatMap(({ states }) => states));
  for (const start of machine.states) {
    const path: number[] = [];
    let end: ChainEnd | undefined;
    for (let current = start.index; end === undefined;) {
      const state = machine.states[current];
      // One that ends the run is never met spent.
      const isEntered = state?.maxVisits === undefined || (state.ends && current !== start.index);
      if (current === DANGLING || state === undefined) end = { kind: "dangles" };
      else if (isEntered && !rings.has(current)) end = { kind: "enters", state: current };
      else if (ends[current] !== undefined) end = ends[current];
      else {
        path.push(current);
        if (rings.has(current)) end = { kind: "cycles" };
        else if (state.forcedExit === undefined) end = { kind: "stops" };
        else current = state.forcedExit;
      }
    }
    for (const state of path) ends[state] = end;
  }
  return ends;
}

/** `s1 ==> s2 ==> … ==> s1`, every one guarded: each ring once, its states in file order. */
export function forcedExitCycles(machine: Machine): readonly Witnessed[] {
  const cycles: Witnessed[] = [];
  const seen = filled(machine.states.length, -1);
  for (const start of machine.states) {
    let current = start.index;
    while (seen[current] === -1) {
      seen[current] = start.index;
      current = guardedExit(machine, current) ?? DANGLING;
    }
    if (seen[current] !== start.index) continue;
    const ring = [current];
    for (let next = guardedExit(machine, current); next !== undefined && next !== current;) {
      ring.push(next);
      next = guardedExit(machine, next);
    }
    cycles.push({ states: ring.sort((a, b) => a - b), witness: undefined, certain: true });
  }
  return cycles.sort((a, b) => (a.states[0] ?? 0) - (b.states[0] ?? 0));
}

/** The state a guarded state forces to, if that one is guarded too. */
function guardedExit(machine: Machine, index: number): number | undefined {
  const state = machine.states[index];
  if (state?.maxVisits === undefined || state.forcedExit === undefined) return undefined;
  return machine.states[state.forcedExit]?.maxVisits === undefined ? undefined : state.forcedExit;
}
