import { components, cyclicGroups } from "../graph/components.js";
import { digraph } from "../graph/digraph.js";
import type { ChainEnd, WitnessedStates } from "./facts.js";
import type { Machine, MachineState } from "./machine.js";

/** A state that ends the run is never met spent: its guard does nothing. */
export function dropGuardsOnFinalStates(machine: Machine): Machine {
  const states = machine.states.map((state) => (state.ends ? { ...state, maxVisits: undefined } : state));
  return { ...machine, states };
}

/** Where forced exits lead as they are written; where they arrive, a run enters the first state that ends it. */
export function forcedExitEnds(machine: Machine): readonly (ChainEnd | undefined)[] {
  const inRuns = forcedExitChains(dropGuardsOnFinalStates(machine));
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
export function forcedExitCycles({ states }: Machine): readonly WitnessedStates[] {
  const exits = digraph(states.map((state) => guardedForcedExit(states, state)));
  return cyclicGroups(components(exits)).map((ring) => ({ states: ring, witness: undefined }));
}

/** The state a guarded state forces to, if that one is guarded too. */
function guardedForcedExit(
  states: readonly MachineState[],
  { maxVisits, forcedExit }: MachineState,
): readonly number[] {
  if (maxVisits === undefined || forcedExit === undefined) return [];
  return states[forcedExit]?.maxVisits === undefined ? [] : [forcedExit];
}
