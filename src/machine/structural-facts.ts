import { at, type Components, components, isOnCycle } from "../graph/digraph.js";
import { canReach, pathFromSteps, reachable, reachableFromSuccessors } from "../graph/paths.js";
import { lazy, withLazy } from "../text/collections.js";
import { ConfigurationTable, explore } from "./explore.js";
import type { Facts, WitnessedStates } from "./facts.js";
import { DANGLING, type Machine } from "./machine.js";
import { findRegions, findSinkLoops } from "./regions.js";
import { attempt, stepsOf } from "./run.js";
import { statesAfterSearch } from "./states-after.js";
import { exhaustedRuns, findClosingLoops, findStructuralLoops } from "./structural-loops.js";
import {
  buildStructure,
  dropGuardsOnFinalStates,
  eventRunGraph,
  forcedExitCycles,
  forcedExitEnds,
  mayEndAt,
  mostEntriesByGuards,
  type Structure,
  targetsOf,
} from "./structure.js";
import { Witnesses } from "./witnesses.js";

/**
 * Facts that the graph's structure proves in linear time; only loops may be uncertain. Runs are explored inside traps,
 * which may be small, and guided into loops for a limited number of steps.
 */
export function structuralFacts(machine: Machine): Facts {
  const structure = buildStructure(dropGuardsOnFinalStates(machine));
  const { all, entered, certain, possible, reentered } = structure;
  const parts = components(possible);
  const mayEnd = canReach(possible, parts, (state) => mayEndAt(structure, state));
  const traps = findStructuralTraps(structure, mayEnd);

  const witnesses = new Witnesses(machine, eventRunGraph(structure));

  const exhausted = exhaustedRuns(structure);
  const unboundedLoops = findStructuralLoops(machine, structure, exhausted, witnesses);
  const leavable = unboundedLoops.filter(({ states }) => !states.every((state) => traps.inside.has(state)));
  const closing = findClosingLoops(structure, exhausted, mayEnd, leavable);
  const escapableLoops = leavable.filter((loop) => closing.get(loop)?.hasEscapableLaps !== false);
  const inClosingLoop = new Set([...closing.values()].flatMap(({ states }) => states));
  const isTrapped = (state: number): boolean => traps.inside.has(state) || inClosingLoop.has(state);
  const incomplete = findNeverCompleting(structure, parts, isTrapped);

  const mostEntries = mostEntriesByGuards(structure.machine);
  const facts: Omit<Facts, "shortestComplete"> = {
    machine,
    exact: false,
    entered,
    certainlyEntered: certain,
    reentered,
    findReentry: (states) => {
      const groups = [...states].flatMap((state) => (reentered.has(state) ? [[state]] : []));
      return witnesses.runEnteringTwice(groups, (state) => reentered.has(state));
    },
    attemptedWhileSpent: undefined,
    unboundedLoops,
    escapableLoops,
    loopsAmong: (states, escapable) => {
      const among = exhaustedRuns(structure, (state) => states.has(state));
      const loops = findStructuralLoops(machine, structure, among, witnesses);
      if (!escapable) return loops;
      const open = new Set(escapableLoops.flatMap((loop) => loop.states));
      return loops.filter((loop) => open.has(at(loop.states, 0)));
    },
    trapped: [
      ...traps.regions.map(({ states, sinkLoops }) => ({
        ...withWitness(states, witnesses),
        closedBy: () => [{ states, guards: [] }],
        sinkLoops,
      })),
      ...closing.values(),
    ].sort((a, b) => at(a.states, 0) - at(b.states, 0)),
    neverCompletes: incomplete.length === 0 ? undefined : withWitness(incomplete, witnesses),
    forcedExitCycles: forcedExitCycles(machine),
    forcedExitEnds: forcedExitEnds(machine),
    // A guard counts every entry, including forced ones.
    ...entryBounds(machine, (state) => {
      if (!entered.has(state)) return 0;
      return isOnCycle(parts, state) ? mostEntries(state) : 1;
    }),
    statesAfter: statesAfterSearch(all.length, possible, (from) => {
      const starts = from.filter((state) => entered.has(state));
      return new Set(reachableFromSuccessors(possible, starts));
    }),
  };
  return withLazy(facts, {
    shortestComplete: () =>
      shortestCompletionByEvents(structure, witnesses) ?? findShortestCompletion(structure),
  });
}

/** The shortest complete run along events, unless one with forced exits may be shorter. */
function shortestCompletionByEvents({ machine, mayBeSpent }: Structure, witnesses: Witnesses) {
  const { distance } = witnesses.reached;
  const end = witnesses.nearest((state) => machine.states[state]?.ends === true);
  if (end === undefined) return undefined;
  const mayBeShorter = machine.states.some(({ index, edges, maxVisits, forcedExit }) => {
    const forces = maxVisits !== undefined && forcedExit !== undefined && mayBeSpent.has(index);
    if (!forces || distance[index] === -1) return false;
    // Spending the first guard takes that many visits by events alone, with another state in between.
    const lap = edges.some(({ target }) => target === index) ? 1 : 2;
    return at(distance, index) + maxVisits * lap < at(distance, end);
  });
  return mayBeShorter ? undefined : witnesses.completeRun(end);
}

function findNeverCompleting(structure: Structure, parts: Components, isTrapped: (state: number) => boolean) {
  const { machine, all, possible, certain, onForcedExitCycle } = structure;
  const completes = canReach(possible, parts, (state) => machine.states[state]?.ends === true);
  // Traps and forced exit cycles are worse, and have their own rules.
  const worse = canReach(possible, parts, (state) => isTrapped(state) || onForcedExitCycle.has(state));
  return all.filter((state) => certain.has(state) && completes[state] === 0 && worse[state] === 0);
}

function withWitness(states: readonly number[], witnesses: Witnesses): WitnessedStates {
  const { distance } = witnesses.reached;
  const nearest = witnesses.nearestFirst(states.filter((state) => distance[state] !== -1))[0];
  return { states, witness: witnesses.runTo(nearest) };
}

/** The regions that runs certainly enter; `mayEnd` marks the states from which some run may end. */
function findStructuralTraps(structure: Structure, mayEnd: readonly number[]) {
  const { all, certain, possible } = structure;
  const trapped = all.filter((state) => certain.has(state) && mayEnd[state] === 0);
  const inside: ReadonlySet<number> = new Set(reachable(possible, trapped));
  const explored = explore(restrictMachine(structure, trapped, inside));
  if (explored === undefined) {
    // With too many runs to explore, report the states that some run certainly enters.
    const isTrapped = new Set(trapped);
    const stateGraph = { graph: possible, stateOf: (state: number) => state };
    const found = findRegions(stateGraph, (state) => isTrapped.has(state));
    return { regions: found.map(({ states }) => ({ states, sinkLoops: () => [] })), inside };
  }
  const parts = lazy(() => components(explored.graph));
  const regions = findRegions(explored, () => true).map(({ states, configurations }) => ({
    states,
    sinkLoops: () => findSinkLoops(explored, parts(), configurations),
  }));
  return { regions, inside };
}

/** A trap can be explored alone: no run leaves it, and none has visited its guards before it enters. */
function restrictMachine(
  { machine, all, certain }: Structure,
  trapped: readonly number[],
  inside: ReadonlySet<number>,
): Machine {
  const outside = all.filter((state) => certain.has(state) && !inside.has(state));
  const entries = new Set([...machine.roots, ...outside.flatMap((state) => targetsOf(machine, state))]);
  return {
    ...machine,
    roots: trapped.filter((state) => entries.has(state)),
    states: machine.states.map((state) =>
      inside.has(state.index) ? state : { ...state, maxVisits: undefined },
    ),
  };
}

/** Worst cases derived from an upper bound for each state; undefined if infinite. */
export function entryBounds(
  { states }: Machine,
  maxEntries: (state: number) => number,
): Pick<Facts, "worstCase" | "worstCaseOf" | "weightedWorstCase"> {
  return {
    worstCase: undefined,
    worstCaseOf(state, entries = Infinity) {
      const bound = Math.min(maxEntries(state), entries);
      return bound === Infinity ? undefined : bound;
    },
    weightedWorstCase(weightOf, entries) {
      if (entries === Infinity) return undefined;
      return states.reduce((most, { index }) => Math.max(most, weightOf(index)), 0) * entries;
    },
  };
}

/** Bounds the number of words written into configurations. */
const maxWork = 500_000;

interface SearchStep {
  readonly entries: number;
  /** The event that led here, as the edge of a path; undefined for a start. */
  readonly last?: { readonly from: number; readonly edge: number };
}

/** A best-first search (A*) for when there are too many runs to explore; undefined if it takes too much work. */
export function findShortestCompletion(structure: Structure, workLimit = maxWork): Facts["shortestComplete"] {
  const { machine } = structure;
  const { states, roots } = machine;
  const remaining = minEntriesLeft(structure);
  const table = new ConfigurationTable(machine);
  const visits = (state: number): number => table.visits(state);
  const width = 1 + states.filter((state) => state.maxVisits !== undefined).length;
  const steps: SearchStep[] = [];
  // Configurations by the minimum number of entries of a complete run through them.
  const open: number[][] = [];
  const isDone: boolean[] = [];
  const record = (id: number, step: SearchStep): void => {
    const total = step.entries + (remaining[table.stateOf(id)] ?? Infinity);
    if (total === Infinity || step.entries >= (steps[id]?.entries ?? Infinity)) return;
    steps[id] = step;
    (open[total] ??= []).push(id);
  };

  let work = roots.length * width;
  if (work > workLimit) return undefined;
  for (const root of roots) record(table.enter(root), { entries: 1 });
  for (let total = 0; total < open.length; total++) {
    for (let id = open[total]?.pop(); id !== undefined; id = open[total]?.pop()) {
      const state = states[table.stateOf(id)];
      const step = steps[id];
      if (state === undefined || step === undefined || isDone[id] === true) continue;
      if (state.ends) {
        const { start, edges } = pathFromSteps(id, (each) => steps[each]?.last);
        const witness = { steps: stepsOf(machine, table.stateOf(start), edges) };
        return { entries: step.entries, witness };
      }
      isDone[id] = true;
      table.select(id);
      // Backwards, because the last one recorded is continued first.
      for (let event = state.edges.length - 1; event >= 0; event--) {
        const outcome = attempt(machine, state.edges[event]?.target ?? DANGLING, visits);
        if ((work += width + outcome.forced.length) > workLimit) return undefined;
        if (outcome.kind !== "entered") continue;
        record(table.enter(outcome.state), { entries: step.entries + 1, last: { from: id, edge: event } });
      }
    }
  }
  return undefined;
}

/** For each state, a lower bound of the entries until completion. Any guard may be spent, and forced exits are free. */
function minEntriesLeft({ machine, mayBeSpent }: Structure): readonly number[] {
  const { states } = machine;
  const eventsInto: number[][] = states.map(() => []);
  const exitsInto: number[][] = states.map(() => []);
  for (const { index, edges, maxVisits, forcedExit = DANGLING } of states) {
    for (const { target } of edges) eventsInto[target]?.push(index);
    if (maxVisits !== undefined && mayBeSpent.has(index)) exitsInto[forcedExit]?.push(index);
  }
  const remaining = states.map(({ ends }) => (ends ? 0 : Infinity));
  const isKnown: boolean[] = [];
  let next = states.flatMap(({ index, ends }) => (ends ? index : []));
  for (let entries = 1; next.length > 0; entries++) {
    // Appended to while iterating: the states from which an attempt completes after so many entries.
    const attempted = next;
    next = [];
    for (const state of attempted) {
      if (isKnown[state] === true) continue;
      isKnown[state] = true;
      for (const guarded of exitsInto[state] ?? []) attempted.push(guarded);
      for (const from of eventsInto[state] ?? []) {
        remaining[from] = Math.min(remaining[from] ?? Infinity, entries);
        next.push(from);
      }
    }
  }
  return remaining;
}
