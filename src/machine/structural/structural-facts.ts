import { type Components, components, isOnCycle } from "../../graph/components.js";
import { at } from "../../graph/digraph.js";
import { canReach, reachableFromSuccessors } from "../../graph/reachability.js";
import { entryBounds } from "./entry-bounds.js";
import type { Facts, WitnessedStates } from "../facts.js";
import { forcedExitCycles, forcedExitEnds, dropGuardsOnFinalStates } from "../forced-exits.js";
import type { Machine } from "../machine.js";
import { lazy } from "../../maps/once.js";
import { exhaustedRuns } from "./settled-runs.js";
import { findShortestCompletion } from "./shortest-complete.js";
import { findClosingLoops } from "./shut-loops.js";
import { StatesAfterCache } from "../states-after.js";
import { findStructuralLoops } from "./structural-loops.js";
import { findStructuralTraps } from "./structural-traps.js";
import { eventRunGraph, mayEndAt, type Structure, buildStructure } from "./structure.js";
import { Witnesses } from "../witness.js";

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
  const complete = lazy(() => shortestCompletionByEvents(structure, witnesses) ?? findShortestCompletion(structure));
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
  const incomplete = findNeverCompleting(structure, parts, (state) => traps.contains(state) || isShut.has(state));

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
function shortestCompletionByEvents({ machine, mayBeSpent }: Structure, witnesses: Witnesses): Facts["shortestComplete"] {
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
