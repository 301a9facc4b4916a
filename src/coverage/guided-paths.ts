import { at } from "../graph/digraph.js";
import { pathTo } from "../graph/reachability.js";
import { GuidedRuns } from "../machine/guided-runs.js";
import { DANGLING, knownEventsOf } from "../machine/machine.js";
import { Run } from "../machine/run.js";
import { buildStructure, eventRunGraph, type Structure } from "../machine/structure.js";
import { appendTo } from "../text/collections.js";
import type { CoverageItems, Path, Paths } from "./items.js";

/** Bounds the events of all paths. */
const maxEvents = 500_000;

/**
 * Paths for when there are too many runs to explore: along events to every state, and until a guard is spent. Each is
 * tried on the machine. What none of them does, some run may still do.
 */
export function guidedPaths(items: CoverageItems): Paths {
  const { machine } = items;
  const structure = buildStructure(machine);
  const walker = new Walker(items);
  const { eventOf, reached } = eventRunGraph(structure);
  for (const state of reached.order) {
    while (walker.eventToTry(state) !== undefined && walker.eventsLeft > at(reached.distance, state)) {
      let root = state;
      while (at(reached.parent, root) !== -1) root = at(reached.parent, root);
      const events = pathTo(reached, state).map((edge) => at(eventOf, edge));
      walker.walk(root, events);
    }
  }
  for (const root of machine.roots) if (!walker.done.has(root)) walker.walk(root, []);
  spendGuards(walker, items, structure);
  const { done: coverable, paths } = walker;
  const undecided = new Set([...possibleItems(items, structure)].filter((item) => !coverable.has(item)));
  return { items, coverable, paths, undecided, leftOut: new Set() };
}

/** Follows events on the machine, and then goes on while there is something to try. */
class Walker {
  readonly done = new Set<number>();
  readonly paths: Path[] = [];
  eventsLeft = maxEvents;
  /** Events that led to no state when they were sent. */
  private readonly givenUp = new Set<number>();
  /** For each state, the place of its first event that may be new. */
  private readonly firstNew: number[] = [];

  constructor(private readonly items: CoverageItems) {}

  /** An event of this state that no path has sent. */
  eventToTry(index: number): number | undefined {
    const state = this.items.machine.states[index];
    if (state === undefined) return undefined;
    const { numbers } = knownEventsOf(state);
    const isOld = (event: number): boolean => {
      const item = this.items.transition(index, event);
      return state.edges[event]?.target === DANGLING || this.done.has(item) || this.givenUp.has(item);
    };
    let place = this.firstNew[index] ?? 0;
    for (let event = numbers[place]; event !== undefined && isOld(event); event = numbers[place]) place++;
    this.firstNew[index] = place;
    return numbers[place];
  }

  /** By the names or numbers of the events. */
  walk(root: number, events: readonly (number | string)[]): void {
    const { items } = this;
    const run = new Run(items.machine, root);
    const names: string[] = [];
    for (const item of items.ofEntry(root)) this.done.add(item);
    const send = (event: number): void => {
      const from = run.current;
      const outcome = run.peek(event);
      if (outcome.kind === "dangling") return void this.givenUp.add(items.transition(from.index, event));
      for (const item of items.ofEvent(from.index, event, outcome)) this.done.add(item);
      names.push(from.edges[event]?.event ?? "");
      run.fire(event);
      this.eventsLeft--;
    };
    for (const event of events) {
      if (run.status !== "running") break;
      send(typeof event === "string" ? (knownEventsOf(run.current).byName.get(event) ?? -1) : event);
    }
    while (run.status === "running" && this.eventsLeft > 0) {
      const event = this.eventToTry(run.current.index);
      if (event === undefined) break;
      send(event);
    }
    this.paths.push({ root, events: names });
  }
}

/** Looks for a run that attempts each guarded state while it is spent. */
function spendGuards(
  walker: Walker,
  items: CoverageItems,
  { machine, mayBeSpent, entered }: Structure,
): void {
  const guided = new GuidedRuns(machine);
  const indexByName = new Map(machine.states.map(({ name, index }) => [name, index]));
  const sources = new Map<number, number[]>();
  for (const { index, edges } of machine.states)
    for (const { target } of edges) if (mayBeSpent[target] === 1) appendTo(sources, target, index);
  for (const [guard, states] of sources) {
    const isMet = walker.done.has(items.stopped(guard)) || walker.done.has(items.forcedExit(guard));
    if (isMet || entered[guard] !== 1) continue;
    const steps = guided.runInto(new Set(states), new Set([guard]))?.steps;
    // Without a step, the start alone has spent the guard.
    const root = indexByName.get(steps?.[0]?.from ?? machine.states[guard]?.name ?? "");
    const last = indexByName.get(steps?.at(-1)?.to ?? "") ?? root;
    const edge = machine.states[last ?? DANGLING]?.edges.find(({ target }) => target === guard);
    if (steps === undefined || root === undefined || edge === undefined) continue;
    if (steps.length < walker.eventsLeft) walker.walk(root, [...steps.map(({ event }) => event), edge.event]);
  }
}

/** Everything that the shape of the workflow does not rule out. */
function possibleItems(
  items: CoverageItems,
  { machine, mayBeSpent, entered }: Structure,
): ReadonlySet<number> {
  const possible = new Set<number>();
  for (const { index, ends, edges } of machine.states) {
    if (entered[index] !== 1) continue;
    possible.add(index);
    if (ends) possible.add(items.complete(index));
    for (const [event, { target }] of edges.entries())
      if (target !== DANGLING) possible.add(items.transition(index, event));
    if (mayBeSpent[index] !== 1) continue;
    const exit = machine.states[index]?.forcedExit;
    if (exit === undefined) possible.add(items.stopped(index));
    else if (exit !== DANGLING) possible.add(items.forcedExit(index));
  }
  return possible;
}
