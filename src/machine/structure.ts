import { components, cyclicGroups, type Digraph, digraph, isOnCycle, subgraph } from "../graph/digraph.js";
import { breadthFirstSearch, reachable } from "../graph/paths.js";
import type { ChainEnd, WitnessedStates } from "./facts.js";
import { DANGLING, type Machine, type MachineState } from "./machine.js";
import type { RunGraph } from "./explore.js";

/** A workflow as graphs over its states. */
export type Structure = Readonly<ReturnType<typeof buildStructure>>;

export function buildStructure(machine: Machine) {
  const all = machine.states.map(({ index }) => index);
  const mayBeSpent = findStatesThatMayBeSpent(machine);
  const events = graphWithForcedExits(machine, () => false);
  const possible = graphWithForcedExits(machine, (state) => mayBeSpent.has(state));
  const certain = new Set(reachable(events, machine.roots));
  const rounds = components(
    subgraph(events, (state) => certain.has(state) && machine.states[state]?.maxVisits !== 1),
  );
  return {
    machine,
    all,
    /** Event edges only, an underestimate of runs: states reachable from a root are certainly entered. */
    events,
    /** Event edges and forced exits, an overestimate of runs: unreachable states are never entered. */
    possible,
    /**
     * States that some run certainly enters twice: those on a cycle of event edges between states that may be entered
     * twice. The shortest path there and once around enters no state more often.
     */
    reentered: new Set(all.filter((state) => isOnCycle(rounds, state))),
    mayBeSpent,
    onForcedExitCycle: new Set(forcedExitCycles(machine).flatMap((cycle) => cycle.states)),
    entered: new Set(reachable(possible, machine.roots)),
    certain,
  };
}

export function forcedExitOf({ states }: Machine, guard: number): number {
  return states[guard]?.forcedExit ?? DANGLING;
}

export function targetsOf(machine: Machine, state: number): readonly number[] {
  return (machine.states[state]?.edges ?? [])
    .map((edge) => edge.target)
    .filter((target) => target !== DANGLING);
}

/** The targets of a state and, if its spent guard `redirects` runs, its forced exit. */
export function nextStates(machine: Machine, state: number, redirects: boolean): readonly number[] {
  const { maxVisits, forcedExit = DANGLING } = machine.states[state] ?? {};
  const targets = targetsOf(machine, state);
  return redirects && maxVisits !== undefined && forcedExit !== DANGLING ? [...targets, forcedExit] : targets;
}

export function isUnguarded(machine: Machine, state: number): boolean {
  return machine.states[state]?.maxVisits === undefined;
}

/** How often the guards let a run enter a state; no guard bounds a state that a runtime enters by force. */
export function mostEntriesByGuards({ states, reading }: Machine): (state: number) => number {
  const isForced = new Set(reading.forcedExits === "entered" ? states.map((state) => state.forcedExit) : []);
  return (state) => (isForced.has(state) ? Infinity : (states[state]?.maxVisits ?? Infinity));
}

/** Whether a run might end in this state, or in an attempt to enter it again. */
export function mayEndAt({ machine, mayBeSpent, onForcedExitCycle }: Structure, index: number): boolean {
  const state = machine.states[index];
  if (state === undefined) return false;
  if (state.ends || onForcedExitCycle.has(index)) return true;
  if (state.edges.some(({ target }) => target === DANGLING)) return true;
  if (state.maxVisits === undefined) return false;
  return state.forcedExit === DANGLING || (state.forcedExit === undefined && mayBeSpent.has(index));
}

/** Guarded states that one run might attempt again. Only an event can lead back: a forced exit is taken after that. */
function findStatesThatMayBeSpent(machine: Machine): ReadonlySet<number> {
  const parts = components(graphWithForcedExits(machine, () => true));
  const leadsBack = (state: number): boolean =>
    targetsOf(machine, state).some((target) => parts.of[target] === parts.of[state]);
  const states = machine.states.map(({ index }) => index);
  return new Set(states.filter((state) => !isUnguarded(machine, state) && leadsBack(state)));
}

/** Event edges, and the forced exits of the states that redirect runs. */
export function graphWithForcedExits(machine: Machine, redirects: (state: number) => boolean): Digraph {
  return digraph(machine.states.map(({ index }) => nextStates(machine, index, redirects(index))));
}

/** Event edges as runs. A shortest path is a run: it enters no state twice, so it finds no guard spent. */
export function eventRunGraph({ machine, events }: Structure): RunGraph {
  const eventOf = machine.states.flatMap((state) =>
    state.edges.flatMap((edge, event) => (edge.target === DANGLING ? [] : [event])),
  );
  const reached = breadthFirstSearch(events, machine.roots);
  return { graph: events, stateOf: (node) => node, reached, eventOf };
}

/** A final state is entered once at most, so its guard has no effect. */
export function dropGuardsOnFinalStates(machine: Machine): Machine {
  const states = machine.states.map((state) => (state.ends ? { ...state, maxVisits: undefined } : state));
  return { ...machine, states };
}

/** Where the chains of runs end: at the latest in the first final state on the way, which is never spent. */
export function forcedExitEnds(machine: Machine): readonly (ChainEnd | undefined)[] {
  return forcedExitChains(dropGuardsOnFinalStates(machine));
}

/** Follows forced exits from each guarded state as if every guard were spent, in linear time. */
export function forcedExitChains(machine: Machine): readonly (ChainEnd | undefined)[] {
  if (machine.reading.forcedExits === "entered") return machine.states.map((state) => linkOf(state, machine));
  const ends: (ChainEnd | undefined)[] = machine.states.map(() => undefined);
  for (const start of machine.states) {
    const path = new Set<number>();
    let end: ChainEnd | undefined;
    for (let current = start.index; end === undefined;) {
      const state = machine.states[current];
      if (state === undefined) end = { kind: "dangles" };
      else if (state.maxVisits === undefined) end = { kind: "enters", state: current };
      else if (path.has(current)) end = { kind: "cycles" };
      else if (ends[current] !== undefined) end = ends[current];
      else {
        path.add(current);
        if (state.forcedExit === undefined) end = { kind: "stops" };
        else current = state.forcedExit;
      }
    }
    for (const state of path) ends[state] = end;
  }
  return ends;
}

function linkOf({ maxVisits, forcedExit }: MachineState, { states }: Machine): ChainEnd | undefined {
  if (maxVisits === undefined) return undefined;
  if (forcedExit === undefined) return { kind: "stops" };
  return states[forcedExit] === undefined ? { kind: "dangles" } : { kind: "enters", state: forcedExit };
}

/** Rings `s1 ==> s2 ==> … ==> s1` of guarded states that do not end the run. */
export function forcedExitCycles(machine: Machine): readonly WitnessedStates[] {
  if (machine.reading.forcedExits === "entered") return [];
  const { states } = dropGuardsOnFinalStates(machine);
  const exits = states.map(({ maxVisits, forcedExit }) => {
    if (maxVisits === undefined || forcedExit === undefined) return [];
    return states[forcedExit]?.maxVisits === undefined ? [] : [forcedExit];
  });
  return cyclicGroups(components(digraph(exits))).map((ring) => ({ states: ring, witness: undefined }));
}
