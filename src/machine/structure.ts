import { type Components, components, cyclicGroups } from "../graph/components.js";
import { at, type Digraph, digraph } from "../graph/digraph.js";
import { breadthFirstSearch, reachable } from "../graph/reachability.js";
import type { ChainEnd, WitnessedStates } from "./facts.js";
import { DANGLING, type Machine, type MachineState } from "./machine.js";
import type { RunGraph } from "./witnesses.js";

/** The shape of a workflow, as graphs over its states. */
export interface Structure {
  readonly machine: Machine;
  /** Every state, in file order. */
  readonly all: readonly number[];
  /** Event edges alone: fewer steps than runs can take, so that what they reach from a root is certain. */
  readonly events: Digraph;
  /** Event edges and forced exits: more steps than runs can take, so that what they exclude is impossible. */
  readonly possible: Digraph;
  /** Components of the event edges between unguarded states: those can be taken any number of times. */
  readonly unguardedParts: Components;
  /**
   * States that some run certainly enters twice: on a cycle of event edges between states that may be entered twice.
   * A shortest way there and once round the cycle enters none more often.
   */
  readonly reentered: readonly number[];
  /** Guarded states that one run might attempt again: only those can be met spent. */
  readonly mayBeSpent: readonly number[];
  /** States on a ring of forced exits. */
  readonly onForcedExitCycle: ReadonlySet<number>;
  /** States that runs may enter. */
  readonly entered: readonly number[];
  /** States that runs certainly enter. */
  readonly certain: readonly number[];
}

export function buildStructure(machine: Machine): Structure {
  const events = digraph(machine.states.map((state) => targetsOf(machine, state.index)));
  const mayBeSpent = findStatesThatMayBeSpent(machine);
  const possible = graphWithForcedExits(machine, (state) => mayBeSpent[state] === 1);
  const certain = reachable(events, machine.roots);
  const rounds = components(
    eventGraphAmong(machine, (state) => certain[state] === 1 && machine.states[state]?.maxVisits !== 1),
  );
  return {
    machine,
    all: machine.states.map((state) => state.index),
    events,
    possible,
    unguardedParts: components(eventGraphAmong(machine, (state) => isUnguarded(machine, state))),
    reentered: rounds.of.map((part) => at(rounds.cyclic, part)),
    mayBeSpent,
    onForcedExitCycle: new Set(forcedExitCycles(machine).flatMap((cycle) => cycle.states)),
    entered: reachable(possible, machine.roots),
    certain,
  };
}

/** Where a spent guard hands a run on to, if anywhere. */
export function forcedExitOf({ states }: Machine, guard: number): number {
  return states[guard]?.forcedExit ?? DANGLING;
}

/** The states that the events of a state attempt; names that lead nowhere are left out. */
export function targetsOf(machine: Machine, state: number): readonly number[] {
  return (machine.states[state]?.edges ?? [])
    .map((edge) => edge.target)
    .filter((target) => target !== DANGLING);
}

/** The same, and where a state `handsOn` what comes to it spent, its forced exit. */
export function nextStates(machine: Machine, state: number, handsOn: boolean): readonly number[] {
  const { maxVisits, forcedExit = DANGLING } = machine.states[state] ?? {};
  const targets = targetsOf(machine, state);
  return handsOn && maxVisits !== undefined && forcedExit !== DANGLING ? [...targets, forcedExit] : targets;
}

export function isUnguarded(machine: Machine, state: number): boolean {
  return machine.states[state]?.maxVisits === undefined;
}

function eventGraphAmong(machine: Machine, belongs: (state: number) => boolean): Digraph {
  return digraph(
    machine.states.map(({ index }) =>
      belongs(index) ? targetsOf(machine, index).filter((target) => belongs(target)) : [],
    ),
  );
}

/** Whether an event or a forced exit of this state leads nowhere. */
function hasDanglingTarget(machine: Machine, index: number): boolean {
  const state = machine.states[index];
  if (state === undefined) return false;
  return (
    state.edges.some((edge) => edge.target === DANGLING) ||
    (state.maxVisits !== undefined && state.forcedExit === DANGLING)
  );
}

/** Whether a run might end in this state, or in an attempt to enter it again. */
export function mayEndAt({ machine, mayBeSpent, onForcedExitCycle }: Structure, index: number): boolean {
  const state = machine.states[index];
  if (state === undefined) return false;
  const mayStop = state.maxVisits !== undefined && state.forcedExit === undefined && mayBeSpent[index] === 1;
  return state.ends || mayStop || onForcedExitCycle.has(index) || hasDanglingTarget(machine, index);
}

/** A state is spent only after it was entered, and left by an event: its own forced exit is no way back to it. */
function findStatesThatMayBeSpent(machine: Machine): readonly number[] {
  const parts = components(graphWithForcedExits(machine, () => true));
  const leadsBack = (state: number): boolean =>
    targetsOf(machine, state).some((target) => parts.of[target] === parts.of[state]);
  return machine.states.map(({ index }) => (!isUnguarded(machine, index) && leadsBack(index) ? 1 : 0));
}

/** Event edges, and the forced exits of the states that hand on what comes to them spent. */
export function graphWithForcedExits(machine: Machine, handsOn: (state: number) => boolean): Digraph {
  return digraph(machine.states.map(({ index }) => nextStates(machine, index, handsOn(index))));
}

/**
 * Event edges as runs. A shortest path enters no state twice: each is attempted for the first time, so that no guard
 * on the way can be spent, and the path is a run even where not every run was explored.
 */
export function eventRunGraph({ machine, events }: Structure): RunGraph {
  const eventOf = machine.states.flatMap((state) =>
    state.edges.flatMap((edge, event) => (edge.target === DANGLING ? [] : [event])),
  );
  const reached = breadthFirstSearch(events, machine.roots);
  return { graph: events, starts: machine.roots, stateOf: (node) => node, reached, eventOf };
}

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
