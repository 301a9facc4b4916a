import { components, type Components } from "../graph/components.js";
import { at, digraphFromEdges } from "../graph/digraph.js";
import { getOrCreate } from "../text/collections.js";
import type { Exploration } from "./explore.js";
import type { TrapClosure } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { forcedExitOf, targetsOf } from "./structure.js";

interface Region {
  readonly states: readonly number[];
  readonly configurations: readonly number[];
}

/**
 * Configurations differ in their counts, but an author thinks in states: configurations that `belong` are joined
 * when an edge that `joins` them connects their states. For loops the edges run both ways round, so that states
 * which share a loop are one region.
 */
export function findRegions(
  { graph, stateOf }: Pick<Exploration, "graph" | "stateOf">,
  belongs: (configuration: number) => boolean,
  joins: (from: number, to: number) => boolean,
): readonly Region[] {
  const from: number[] = [];
  const to: number[] = [];
  const members: number[] = [];
  let states = 0;
  for (let configuration = 0; configuration < graph.size; configuration++) {
    if (!belongs(configuration)) continue;
    const state = stateOf(configuration);
    states = Math.max(states, state + 1);
    members.push(configuration);
    const end = at(graph.offsets, configuration + 1);
    for (let edge = at(graph.offsets, configuration); edge < end; edge++) {
      const target = at(graph.targets, edge);
      if (!belongs(target) || !joins(configuration, target)) continue;
      from.push(state, stateOf(target));
      to.push(stateOf(target), state);
    }
  }
  if (members.length === 0) return [];
  const parts = components(digraphFromEdges(states, from, to));
  const byPart = new Map<number, { states: Set<number>; configurations: number[] }>();
  for (const configuration of members) {
    const part = at(parts.of, stateOf(configuration));
    const region = byPart.get(part) ?? { states: new Set(), configurations: [] };
    byPart.set(part, region);
    region.states.add(stateOf(configuration));
    region.configurations.push(configuration);
  }
  return [...byPart.values()]
    .map((region) => ({ ...region, states: inFileOrder(region.states) }))
    .sort((a, b) => at(a.states, 0) - at(b.states, 0));
}

/** Of more, each needs an event of its own; nobody wants to read which. */
const maxSinkLoops = 16;

/**
 * Where runs that are caught end up, whatever they do: loops of states, none of which holds another, by the first
 * state. Nothing where there are too many to be told.
 */
export function findSinkLoops(
  { graph, stateOf }: Exploration,
  { of }: Components,
  caught: readonly number[],
): readonly (readonly number[])[] {
  const pits = new Map<number, Set<number>>();
  const leadOn = new Set<number>();
  for (const configuration of caught) {
    const part = at(of, configuration);
    getOrCreate(pits, part, () => new Set()).add(stateOf(configuration));
    const next = graph.targets.slice(at(graph.offsets, configuration), at(graph.offsets, configuration + 1));
    if (next.some((target) => at(of, target) !== part)) leadOn.add(part);
  }
  for (const part of leadOn) pits.delete(part);
  const distinct = new Map([...pits.values()].map(inFileOrder).map((states) => [states.join(), states]));
  if (distinct.size > maxSinkLoops) return [];
  const all = [...distinct.values()].sort((a, b) => at(a, 0) - at(b, 0));
  return all.filter(
    (pit) => !all.some((other) => other !== pit && other.every((state) => pit.includes(state))),
  );
}

/** Of more, nobody wants to know which of them matter: each takes a walk to find out. */
const maxClosingGuards = 16;

/** Runs whose guards are looked for: a region in which more are needed is not explained in a sentence. */
const maxClosures = 3;

/**
 * Which guards shut in the states of a region: only states that every run is caught in once these are spent. `caught`
 * are its configurations, the one that is shown first; `open` those of the same states from which some run ends.
 */
export function findClosures(
  machine: Machine,
  exploration: Exploration,
  caught: readonly number[],
  open: readonly number[],
): readonly TrapClosure[] {
  const { stateOf, spentIn } = exploration;
  const closures: TrapClosure[] = [];
  let left: ReadonlySet<number> = new Set(caught.map(stateOf));
  while (left.size > 0 && closures.length < maxClosures) {
    const next = caught.find((c) => left.has(stateOf(c)));
    const guards = next === undefined ? [] : closingGuards(machine, exploration, next);
    const leaving = new Set(open.filter((c) => guards.every(spentIn(c))).map(stateOf));
    const closed = inFileOrder(left).filter((state) => !leaving.has(state));
    if (closed.length === 0) break;
    closures.push({ states: closed, guards });
    left = new Set([...left].filter((state) => leaving.has(state)));
  }
  return left.size === 0 ? closures : [...closures, { states: inFileOrder(left), guards: undefined }];
}

/**
 * The guards that shut in a run which is caught in this configuration, in file order: they are spent there, it tries
 * them again, and they would lead to an end. Where some of them do so while the others stay spent, only these are named.
 */
function closingGuards(machine: Machine, exploration: Exploration, caught: number): readonly number[] {
  const tried = spentStatesAttemptedFrom(machine, exploration, caught);
  const isSpent = exploration.spentIn(caught);
  const doors = inFileOrder(tried).filter(isSpent);
  if (doors.length > maxClosingGuards) return doors;
  const mayEnd = (first: number, handsOn: (state: number) => boolean) =>
    mayEndAfter(machine, exploration, first, handsOn);
  const alone = new Set(doors.filter((guard) => mayEnd(guard, isSpent)));
  if (!mayEnd(exploration.stateOf(caught), (state) => alone.has(state))) return [...alone];
  return doors.filter((guard) => mayEnd(guard, () => false));
}

/** The states that a run attempts while they are spent, from this configuration on. */
function spentStatesAttemptedFrom(
  machine: Machine,
  { graph, stateOf, spentIn }: Exploration,
  caught: number,
): ReadonlySet<number> {
  const tried = new Set<number>();
  // It grows while it is walked. All that is reached is as caught: nobody else walks here.
  const reached = new Set([caught]);
  for (const configuration of reached) {
    const isSpent = spentIn(configuration);
    for (const target of targetsOf(machine, stateOf(configuration))) {
      for (let state = target; isSpent(state); state = forcedExitOf(machine, state)) tried.add(state);
    }
    const end = at(graph.offsets, configuration + 1);
    for (let edge = at(graph.offsets, configuration); edge < end; edge++)
      reached.add(at(graph.targets, edge));
  }
  return tried;
}

/** Whether a run may end, in any way, after it was in a state, if some others only hand it on. */
function mayEndAfter(
  machine: Machine,
  { attemptedWhileSpent }: Exploration,
  first: number,
  handsOn: (state: number) => boolean,
): boolean {
  // A name that leads nowhere is attempted, too: whether a run ends there is not known.
  const attemptedIn = (state: number): readonly number[] =>
    (machine.states[state]?.edges ?? []).map(({ target }) => target);
  const attempted = new Set(attemptedIn(first));
  for (const index of attempted) {
    const state = machine.states[index];
    if (state === undefined || (state.ends && !handsOn(index))) return true;
    if (!handsOn(index)) for (const target of attemptedIn(index)) attempted.add(target);
    // A guard that hands over to nothing ends the run as well. What only a guard leads to that is never spent, no run enters.
    if (attemptedWhileSpent[index] === 1) attempted.add(forcedExitOf(machine, index));
  }
  return false;
}
