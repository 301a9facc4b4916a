import { filled } from "../graph/digraph.js";
import type { ChainEnd, Witnessed } from "./facts.js";
import { DANGLING, type Machine } from "./machine.js";

/** A state that ends the run is never met spent: its guard does nothing. */
export function withoutGuardsOnEnds(machine: Machine): Machine {
  const states = machine.states.map((state) => (state.ends ? { ...state, maxVisits: undefined } : state));
  return { ...machine, states };
}

/** Where forced exits lead as they are written; where they arrive, a run enters the first state that ends it. */
export function forcedExitEnds(machine: Machine): readonly (ChainEnd | undefined)[] {
  const inRuns = forcedExitChains(withoutGuardsOnEnds(machine));
  return forcedExitChains(machine).map((end, index) => {
    if (end?.kind !== "enters" && end?.kind !== "stops") return end;
    const target = machine.states[index]?.forcedExit;
    if (target === undefined) return end;
    return inRuns[target] ?? { kind: "enters", state: target };
  });
}

/** Follows forced exits from each guarded state, taking every guarded state on the way as spent. Linear in all. */
export function forcedExitChains(machine: Machine): readonly (ChainEnd | undefined)[] {
  const ends: (ChainEnd | undefined)[] = new Array<ChainEnd | undefined>(machine.states.length).fill(
    undefined,
  );
  for (const start of machine.states) {
    const path = new Set<number>();
    let end: ChainEnd | undefined;
    for (let current = start.index; end === undefined;) {
      const state = machine.states[current];
      if (state === undefined) end = { kind: "dangles" };
      else if (state.maxVisits === undefined) end = { kind: "enters", state: current };
      else if (path.has(current)) end = { kind: "cycles" };
      else if (ends[current] !== undefined) end = ends[current];
      else if (state.forcedExit === undefined) {
        path.add(current);
        end = { kind: "stops" };
      } else {
        path.add(current);
        current = state.forcedExit;
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
    while (current !== DANGLING && seen[current] === -1) {
      seen[current] = start.index;
      current = guardedExit(machine, current) ?? DANGLING;
    }
    if (current === DANGLING || seen[current] !== start.index) continue;
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
