import { type Components, components } from "../../graph/components.js";
import { at, type Digraph, digraph } from "../../graph/digraph.js";
import { reachable, breadthFirstSearch } from "../../graph/reachability.js";
import { forcedExitCycles } from "../forced-exits.js";
import { DANGLING, type Machine } from "../machine.js";
import type { RunGraph } from "../witness.js";

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
