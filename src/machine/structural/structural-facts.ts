import { type Components, components, isOnCycle } from "../../graph/components.js";
import { at } from "../../graph/digraph.js";
import { canReach, reachableAfterAStep } from "../../graph/reachability.js";
import { entryBounds } from "./entry-bounds.js";
import type { Facts, Witnessed } from "../facts.js";
import { forcedExitCycles, forcedExitEnds, withoutGuardsOnEnds } from "../forced-exits.js";
import type { Machine } from "../machine.js";
import { once } from "../../maps/once.js";
import { settledRuns } from "./settled-runs.js";
import { shortestComplete } from "./shortest-complete.js";
import { shutLoops } from "./shut-loops.js";
import { StatesAfter } from "../states-after.js";
import { structuralLoops } from "./structural-loops.js";
import { structuralTraps } from "./structural-traps.js";
import { eventRuns, mayEndAt, type Structure, structureOf } from "./structure.js";
import { Witnesses } from "../witness.js";

/**
 * What the shape of the graph alone proves, in linear time: never a false claim, but for loops that merely may run.
 * Runs are tried only in a trap, which may be small, and to get into a loop, a fixed number of steps.
 */
export function structuralFacts(machine: Machine): Facts {
  const structure = structureOf(withoutGuardsOnEnds(machine));
  const { all, entered, certain, possible, reentered } = structure;
  const parts = components(possible);
  const mayEnd = canReach(possible, parts, (state) => mayEndAt(structure, state));
  const traps = structuralTraps(structure, mayEnd);
  const isReentered = (state: number): boolean => reentered[state] === 1;

  const witnesses = new Witnesses(machine, eventRuns(structure));
  const complete = once(() => shortestByEvents(structure, witnesses) ?? shortestComplete(structure));
  const statesAfter = new StatesAfter(all.length, possible, (from) => {
    const after = reachableAfterAStep(
      possible,
      from.filter((state) => entered[state] === 1),
    );
    return new Set(all.filter((state) => after[state] === 1));
  });

  const settled = settledRuns(structure);
  const unboundedLoops = structuralLoops(machine, structure, settled, witnesses);
  const leavable = unboundedLoops.filter(({ states }) => !states.every(traps.hold));
  const shut = shutLoops(structure, settled, mayEnd, leavable);
  const isShut = new Set([...shut.values()].flatMap(({ states }) => states));
  const incomplete = neverCompleting(structure, parts, (state) => traps.hold(state) || isShut.has(state));

  return {
    machine,
    exact: false,
    entered: new Set(all.filter((state) => entered[state] === 1)),
    certainlyEntered: new Set(all.filter((state) => certain[state] === 1)),
    reentered: new Set(all.filter(isReentered)),
    reentry: (states) =>
      witnesses.twice(
        [...states].filter(isReentered).map((state) => [state]),
        isReentered,
      ),
    metSpent: undefined,
    unboundedLoops,
    openLoops: leavable.filter((loop) => shut.get(loop)?.hasOpenLaps !== false),
    trapped: [
      ...traps.regions.map(({ states, pits }) => ({
        ...proven(states, witnesses),
        closedBy: () => [{ states, guards: [] }],
        pits,
      })),
      ...shut.values(),
    ].sort((a, b) => at(a.states, 0) - at(b.states, 0)),
    neverCompletes: incomplete.length === 0 ? undefined : proven(incomplete, witnesses),
    forcedExitCycles: forcedExitCycles(machine),
    forcedExitEnds: forcedExitEnds(machine),
    get shortestComplete() {
      return complete();
    },
    ...entryBounds(machine, (state) => mostEntries(structure, parts, state)),
    statesAfter: (states) => statesAfter.of(states),
  };
}

/** No run enters the state more often: every entry, forced ones included, is held against its guard. */
function mostEntries({ machine, entered }: Structure, parts: Components, state: number): number {
  if (entered[state] !== 1) return 0;
  return isOnCycle(parts, state) ? (machine.states[state]?.maxVisits ?? Infinity) : 1;
}

/** A shortest complete run along events alone; nothing where forced exits may be shorter. */
function shortestByEvents({ machine, metAgain }: Structure, witnesses: Witnesses): Facts["shortestComplete"] {
  const { distance } = witnesses.reached;
  const end = witnesses.nearest((state) => machine.states[state]?.ends === true);
  if (end === undefined) return undefined;
  const mayBeShorter = machine.states.some(({ index, edges, maxVisits, forcedExit }) => {
    const forces = maxVisits !== undefined && forcedExit !== undefined && metAgain[index] === 1;
    if (!forces || distance[index] === -1) return false;
    // Until the first guard is spent, a run follows events: it comes here so often, with another state in between.
    const lap = edges.some(({ target }) => target === index) ? 1 : 2;
    return at(distance, index) + maxVisits * lap < at(distance, end);
  });
  return mayBeShorter ? undefined : witnesses.completeRun(end);
}

function neverCompleting(
  structure: Structure,
  parts: Components,
  isTrapped: (state: number) => boolean,
): readonly number[] {
  const { machine, all, possible, certain, rings } = structure;
  const completes = canReach(possible, parts, (state) => machine.states[state]?.ends === true);
  // A state that can be trapped or stuck has a worse fault, which has a rule of its own.
  const worse = canReach(possible, parts, (state) => isTrapped(state) || rings.has(state));
  return all.filter((state) => certain[state] === 1 && completes[state] === 0 && worse[state] === 0);
}

function proven(states: readonly number[], witnesses: Witnesses): Witnessed {
  const { distance } = witnesses.reached;
  const nearest = witnesses.nearestFirst(states.filter((state) => distance[state] !== -1))[0];
  return { states, witness: nearest === undefined ? undefined : witnesses.runTo(nearest) };
}
