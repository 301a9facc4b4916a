import { at, components, type Components, digraph, successors } from "../graph/digraph.js";
import { getOrCreate } from "../text/collections.js";
import type { Exploration } from "./explore.js";
import type { TrapClosure } from "./facts.js";
import { inFileOrder, type Machine } from "./machine.js";
import { forcedExitOf, targetsOf } from "./structure.js";

/** Groups configurations by state, since authors think in states: an edge that `joins` two connects their states. */
export function findRegions(
  { graph, stateOf }: Pick<Exploration, "graph" | "stateOf">,
  belongs: (configuration: number) => boolean,
  joins: (from: number, to: number) => boolean = () => true,
) {
  const neighbors: (number[] | undefined)[] = [];
  const members: number[] = [];
  for (let configuration = 0; configuration < graph.size; configuration++) {
    if (!belongs(configuration)) continue;
    const state = stateOf(configuration);
    const row = (neighbors[state] ??= []);
    members.push(configuration);
    const end = at(graph.offsets, configuration + 1);
    for (let edge = at(graph.offsets, configuration); edge < end; edge++) {
      const target = at(graph.targets, edge);
      if (!belongs(target) || !joins(configuration, target)) continue;
      row.push(stateOf(target));
      (neighbors[stateOf(target)] ??= []).push(state);
    }
  }
  const parts = components(digraph(Array.from(neighbors, (row) => row ?? [])));
  const byPart = new Map<number, { states: Set<number>; configurations: number[] }>();
  for (const configuration of members) {
    const part = at(parts.of, stateOf(configuration));
    const region = getOrCreate(byPart, part, () => ({ states: new Set<number>(), configurations: [] }));
    region.states.add(stateOf(configuration));
    region.configurations.push(configuration);
  }
  return [...byPart.values()]
    .map((region) => ({ ...region, states: inFileOrder(region.states) }))
    .sort((a, b) => at(a.states, 0) - at(b.states, 0));
}

/** A message cannot list more. */
const maxSinkLoops = 16;

/** The minimal loops in which trapped runs finally stay, by first state; empty if there are too many. */
export function findSinkLoops(
  { graph, stateOf }: Exploration,
  { of }: Components,
  trapped: readonly number[],
): readonly (readonly number[])[] {
  const byPart = new Map<number, Set<number>>();
  const leftParts = new Set<number>();
  for (const configuration of trapped) {
    const part = at(of, configuration);
    getOrCreate(byPart, part, () => new Set()).add(stateOf(configuration));
    if (successors(graph, configuration).some((target) => at(of, target) !== part)) leftParts.add(part);
  }
  for (const part of leftParts) byPart.delete(part);
  const distinct = new Map([...byPart.values()].map(inFileOrder).map((states) => [states.join(), states]));
  if (distinct.size > maxSinkLoops) return [];
  const loops = [...distinct.values()].sort((a, b) => at(a, 0) - at(b, 0));
  return loops.filter(
    (loop) => !loops.some((other) => other !== loop && other.every((state) => loop.includes(state))),
  );
}

/** With more, finding out which of them matter would take too many searches. */
const maxClosingGuards = 16;
/** A message cannot explain more. */
const maxClosures = 3;

/**
 * Groups the states of a region by the guards that trap runs there. `trapped` are its configurations, the one to show
 * first; `open` are those of the same states from which some run ends.
 */
export function findClosures(
  machine: Machine,
  exploration: Exploration,
  trapped: readonly number[],
  open: readonly number[],
): readonly TrapClosure[] {
  const { stateOf, runs } = exploration;
  const closures: TrapClosure[] = [];
  let remaining: ReadonlySet<number> = new Set(trapped.map(stateOf));
  while (remaining.size > 0 && closures.length < maxClosures) {
    const next = trapped.find((c) => remaining.has(stateOf(c)));
    const guards = next === undefined ? [] : closingGuards(machine, exploration, next);
    const leaving = new Set(open.filter((c) => guards.every(runs.spentIn(c))).map(stateOf));
    const closed = inFileOrder(remaining).filter((state) => !leaving.has(state));
    if (closed.length === 0) break;
    closures.push({ states: closed, guards });
    remaining = new Set([...remaining].filter((state) => leaving.has(state)));
  }
  return remaining.size === 0
    ? closures
    : [...closures, { states: inFileOrder(remaining), guards: undefined }];
}

/**
 * The guards that trap a run in this configuration: those spent there that it attempts again and that would lead to an
 * end. If some of them do so while the others stay spent, only these.
 */
function closingGuards(machine: Machine, exploration: Exploration, trapped: number): readonly number[] {
  const attempted = spentStatesAttemptedFrom(machine, exploration, trapped);
  const isSpent = exploration.runs.spentIn(trapped);
  const guards = inFileOrder(attempted).filter(isSpent);
  if (guards.length > maxClosingGuards) return guards;
  const mayEnd = (first: number, redirects: (state: number) => boolean) =>
    mayEndAfter(machine, exploration, first, redirects);
  const alone = new Set(guards.filter((guard) => mayEnd(guard, isSpent)));
  if (!mayEnd(exploration.stateOf(trapped), (state) => alone.has(state))) return [...alone];
  return guards.filter((guard) => mayEnd(guard, () => false));
}

function spentStatesAttemptedFrom(machine: Machine, { graph, stateOf, runs }: Exploration, trapped: number) {
  const attempted = new Set<number>();
  // Appended to while iterating.
  const reached = new Set([trapped]);
  for (const configuration of reached) {
    const isSpent = runs.spentIn(configuration);
    for (const target of targetsOf(machine, stateOf(configuration)))
      for (let state = target; isSpent(state); state = forcedExitOf(machine, state)) attempted.add(state);
    for (const next of successors(graph, configuration)) reached.add(next);
  }
  return attempted;
}

/** Whether a run may end after it was in the first state, if some guards only redirect it. */
function mayEndAfter(
  machine: Machine,
  { runs }: Exploration,
  first: number,
  redirects: (state: number) => boolean,
): boolean {
  const attemptedIn = (state: number): readonly number[] =>
    (machine.states[state]?.edges ?? []).map(({ target }) => target);
  // Appended to while iterating. It may contain DANGLING, where a run may end.
  const attempted = new Set(attemptedIn(first));
  for (const index of attempted) {
    const state = machine.states[index];
    if (state === undefined || (state.ends && !redirects(index))) return true;
    if (!redirects(index)) for (const target of attemptedIn(index)) attempted.add(target);
    // A guard that is never spent does not redirect runs; one without a forced exit ends them.
    if (runs.attemptedWhileSpent.has(index)) attempted.add(forcedExitOf(machine, index));
  }
  return false;
}
