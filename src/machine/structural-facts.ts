import { type Components, components, isOnCycle } from "../graph/components.js";
import { at } from "../graph/digraph.js";
import { canReach, reachable, reachableFromSuccessors } from "../graph/reachability.js";
import { lazy } from "../text/collections.js";
import { explore } from "./explore.js";
import type { Facts, Trap, WitnessedStates } from "./facts.js";
import type { Machine } from "./machine.js";
import { findRegions, findSinkLoops } from "./regions.js";
import { findShortestCompletion } from "./shortest-completion.js";
import { StatesAfterCache } from "./states-after.js";
import { exhaustedRuns, findClosingLoops, findStructuralLoops } from "./structural-loops.js";
import {
  buildStructure,
  dropGuardsOnFinalStates,
  eventRunGraph,
  forcedExitCycles,
  forcedExitEnds,
  mayEndAt,
  type Structure,
  targetsOf,
} from "./structure.js";
import { Witnesses } from "./witnesses.js";

/**
 * What the shape of the graph alone proves, in linear time: never a false claim, but for loops that merely may run.
 * Runs are tried only in a trap, which may be small, and to get into a loop, a fixed number of steps.
 */
export function structuralFacts(machine: Machine): Facts {
  const structure = buildStructure(dropGuardsOnFinalStates(machine));
  const { all, entered, certain, possible, reentered } = structure;
  const parts = components(possible);
  const mayEnd = canReach(possible, parts, (state) => mayEndAt(structure, state));
  const traps = findStructuralTraps(structure, mayEnd);
  const isReentered = (state: number): boolean => reentered[state] === 1;

  const witnesses = new Witnesses(machine, eventRunGraph(structure));
  const complete = lazy(
    () => shortestCompletionByEvents(structure, witnesses) ?? findShortestCompletion(structure),
  );
  const statesAfter = new StatesAfterCache(all.length, possible, (from) => {
    const after = reachableFromSuccessors(
      possible,
      from.filter((state) => entered[state] === 1),
    );
    return new Set(all.filter((state) => after[state] === 1));
  });

  const settled = exhaustedRuns(structure);
  const unboundedLoops = findStructuralLoops(machine, structure, settled, witnesses);
  const leavable = unboundedLoops.filter(({ states }) => !states.every(traps.contains));
  const shut = findClosingLoops(structure, settled, mayEnd, leavable);
  const isShut = new Set([...shut.values()].flatMap(({ states }) => states));
  const incomplete = findNeverCompleting(
    structure,
    parts,
    (state) => traps.contains(state) || isShut.has(state),
  );

  return {
    machine,
    exact: false,
    entered: new Set(all.filter((state) => entered[state] === 1)),
    certainlyEntered: new Set(all.filter((state) => certain[state] === 1)),
    reentered: new Set(all.filter(isReentered)),
    findReentry: (states) =>
      witnesses.runEnteringTwice(
        [...states].filter(isReentered).map((state) => [state]),
        isReentered,
      ),
    attemptedWhileSpent: undefined,
    unboundedLoops,
    escapableLoops: leavable.filter((loop) => shut.get(loop)?.hasEscapableLaps !== false),
    trapped: [
      ...traps.regions.map(({ states, sinkLoops }) => ({
        ...withWitness(states, witnesses),
        closedBy: () => [{ states, guards: [] }],
        sinkLoops,
      })),
      ...shut.values(),
    ].sort((a, b) => at(a.states, 0) - at(b.states, 0)),
    neverCompletes: incomplete.length === 0 ? undefined : withWitness(incomplete, witnesses),
    forcedExitCycles: forcedExitCycles(machine),
    forcedExitEnds: forcedExitEnds(machine),
    get shortestComplete() {
      return complete();
    },
    ...entryBounds(machine, (state) => maxEntriesOf(structure, parts, state)),
    statesAfter: (states) => statesAfter.of(states),
  };
}

/** No run enters the state more often: every entry, forced ones included, is held against its guard. */
function maxEntriesOf({ machine, entered }: Structure, parts: Components, state: number): number {
  if (entered[state] !== 1) return 0;
  return isOnCycle(parts, state) ? (machine.states[state]?.maxVisits ?? Infinity) : 1;
}

/** A shortest complete run along events alone; nothing where forced exits may be shorter. */
function shortestCompletionByEvents(
  { machine, mayBeSpent }: Structure,
  witnesses: Witnesses,
): Facts["shortestComplete"] {
  const { distance } = witnesses.reached;
  const end = witnesses.nearest((state) => machine.states[state]?.ends === true);
  if (end === undefined) return undefined;
  const mayBeShorter = machine.states.some(({ index, edges, maxVisits, forcedExit }) => {
    const forces = maxVisits !== undefined && forcedExit !== undefined && mayBeSpent[index] === 1;
    if (!forces || distance[index] === -1) return false;
    // Until the first guard is spent, a run follows events: it comes here so often, with another state in between.
    const lap = edges.some(({ target }) => target === index) ? 1 : 2;
    return at(distance, index) + maxVisits * lap < at(distance, end);
  });
  return mayBeShorter ? undefined : witnesses.completeRun(end);
}

function findNeverCompleting(
  structure: Structure,
  parts: Components,
  isTrapped: (state: number) => boolean,
): readonly number[] {
  const { machine, all, possible, certain, onForcedExitCycle } = structure;
  const completes = canReach(possible, parts, (state) => machine.states[state]?.ends === true);
  // A state that can be trapped or stuck has a worse fault, which has a rule of its own.
  const worse = canReach(possible, parts, (state) => isTrapped(state) || onForcedExitCycle.has(state));
  return all.filter((state) => certain[state] === 1 && completes[state] === 0 && worse[state] === 0);
}

function withWitness(states: readonly number[], witnesses: Witnesses): WitnessedStates {
  const { distance } = witnesses.reached;
  const nearest = witnesses.nearestFirst(states.filter((state) => distance[state] !== -1))[0];
  return { states, witness: nearest === undefined ? undefined : witnesses.runTo(nearest) };
}

interface StructuralTraps {
  /** Runs certainly get into each. */
  readonly regions: readonly Pick<Trap, "states" | "sinkLoops">[];
  /** Whether a run that is there, if there is one, is caught. */
  readonly contains: (state: number) => boolean;
}

/** What no run leaves, nor ends in, by event or forced exit; `mayEnd` marks the states from which some run may end. */
function findStructuralTraps(structure: Structure, mayEnd: readonly number[]): StructuralTraps {
  const { all, certain, possible } = structure;
  const caught = all.filter((state) => certain[state] === 1 && mayEnd[state] === 0);
  if (caught.length === 0) return { regions: [], contains: () => false };
  const inside = reachable(possible, caught);
  const explored = explore(restrictMachine(structure, caught, inside));
  const everywhere = (): boolean => true;
  const contains = (state: number): boolean => inside[state] === 1;
  // Where runs are too many to explore, those states are told that some run certainly gets into.
  if (explored === undefined) {
    const isCaught = new Set(caught);
    const certainly = { graph: possible, stateOf: (state: number) => state };
    const found = findRegions(certainly, (state) => isCaught.has(state), everywhere);
    return { regions: found.map(({ states }) => ({ states, sinkLoops: () => [] })), contains };
  }
  const parts = lazy(() => components(explored.graph));
  const found = findRegions(explored, everywhere, everywhere).map(({ states, configurations }) => ({
    states,
    sinkLoops: () => findSinkLoops(explored, parts(), configurations),
  }));
  return { regions: found, contains };
}

/**
 * Nothing outside matters to a run that cannot leave, and where it comes in no guard inside has counted a visit yet:
 * how runs go on there can be explored alone.
 */
function restrictMachine(
  { machine, all, certain }: Structure,
  caught: readonly number[],
  inside: readonly number[],
): Machine {
  const outside = all.filter((state) => certain[state] === 1 && inside[state] === 0);
  const entries = new Set([...machine.roots, ...outside.flatMap((state) => targetsOf(machine, state))]);
  return {
    ...machine,
    roots: caught.filter((state) => entries.has(state)),
    states: machine.states.map((state) =>
      inside[state.index] === 1 ? state : { ...state, maxVisits: undefined },
    ),
  };
}

/**
 * The worst cases as far as a bound for each state tells, which no run exceeds: nothing where neither that nor the
 * number of entries after which runs are cut short is finite.
 */
export function entryBounds(
  { states }: Machine,
  mostOf: (state: number) => number,
): Pick<Facts, "worstCase" | "worstCaseOf" | "weightedWorstCase"> {
  const ifFinite = (most: number): number | undefined => (most === Infinity ? undefined : most);
  return {
    worstCase: undefined,
    worstCaseOf: (state, entries = Infinity) => ifFinite(Math.min(mostOf(state), entries)),
    weightedWorstCase(weightOf, entries) {
      if (entries === Infinity) return undefined;
      const heaviest = states.reduce((most, { index }) => Math.max(most, weightOf(index)), 0);
      return heaviest * entries;
    },
  };
}
