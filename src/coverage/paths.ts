import type { Trace } from "../diagnostic.js";
import { at } from "../graph/digraph.js";
import { pathTo, shortestPath } from "../graph/paths.js";
import { exploreSystem, MachineRuns, type Monitor, type SystemRuns, Work } from "../machine/explore.js";
import { GuidedRuns } from "../machine/witnesses.js";
import { DANGLING, knownEventsOf, type Machine } from "../machine/machine.js";
import { RunState } from "../machine/run.js";
import { buildStructure, eventRunGraph, type Structure } from "../machine/structure.js";
import { appendTo } from "../text/collections.js";
import { CoverageItems, type Path, type Paths, Tried } from "./items.js";

export function findPaths(machine: Machine): Paths {
  const items = new CoverageItems(machine);
  const work = new Work();
  const itemsOf: (readonly number[])[] = [];
  const recorder: Monitor = {
    tags: 1,
    start: () => 0,
    next: (_tag, from, event, outcome) => {
      itemsOf.push(items.ofEvent(from, event, outcome));
      return 0;
    },
  };
  const runs = exploreSystem(new MachineRuns(machine, work, recorder), work);
  if (!runs.isComplete) return guidedPaths(items);
  const planner = new PathPlanner(items, runs, itemsOf);
  return { items, coverable: planner.coverable, undecided: new Set(), ...planner.plan() };
}

/** Bounds the events of all paths, and the search for what to do next. */
const maxEvents = 1_000_000;
const maxEdgesSearched = 2_000_000;

type Plan = Pick<Paths, "paths" | "leftOut">;

class PathPlanner {
  readonly coverable: ReadonlySet<number>;
  /** For each item, the first edge that does it, whose source is as near as any. */
  private readonly firstEdge = new Map<number, number>();
  private readonly sourceOf: number[] = [];

  constructor(
    private readonly items: CoverageItems,
    private readonly runs: SystemRuns,
    /** By edge. */
    private readonly itemsOf: readonly (readonly number[])[],
  ) {
    const { graph } = runs;
    for (let node = 0; node < graph.size; node++)
      for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
        this.sourceOf.push(node);
        for (const item of itemsOf[edge] ?? []) if (!this.firstEdge.has(item)) this.firstEdge.set(item, edge);
      }
    this.coverable = new Set([
      ...items.machine.roots.flatMap((root) => items.ofEntry(root)),
      ...this.firstEdge.keys(),
    ]);
  }

  /** The shorter of two plans: what is left is tried from near to far, or from far to near. */
  plan(): Plan {
    const edges = [...new Set(this.firstEdge.values())].sort((a, b) => a - b);
    const plans = [this.planInOrder(edges), this.planInOrder(edges.reverse())];
    const cost = ({ paths, leftOut }: Plan): number =>
      leftOut.size * maxEvents + paths.reduce((sum, { events }) => sum + events.length + 1, 0);
    return plans.reduce((best, plan) => (cost(plan) < cost(best) ? plan : best));
  }

  /** Each path goes to the next edge that does something new, and on while that takes no longer than a new start. */
  private planInOrder(order: readonly number[]): Plan {
    const { runs, items } = this;
    const left = new Set(this.coverable);
    const paths: Path[] = [];
    let eventsLeft = maxEvents;
    let searchLeft = maxEdgesSearched;
    let next = 0;
    const isNew = (edge: number): boolean => (this.itemsOf[edge] ?? []).some((item) => left.has(item));
    const nextGoal = (): number | undefined => {
      while (next < order.length && !isNew(order[next] ?? -1)) next++;
      return order[next];
    };
    const take = (path: number[], edges: readonly number[]): void => {
      for (const edge of edges) {
        path.push(edge);
        for (const item of this.itemsOf[edge] ?? []) left.delete(item);
      }
    };
    const addPath = (root: number, edges: readonly number[]): void => {
      for (const item of items.ofEntry(root)) left.delete(item);
      paths.push({ root, events: edges.map((edge) => this.eventName(edge)) });
    };
    for (let goal = nextGoal(); goal !== undefined; goal = nextGoal()) {
      const path: number[] = [];
      if (this.lengthTo(goal) > eventsLeft) break;
      take(path, [...pathTo(runs.reached, at(this.sourceOf, goal)).edges, goal]);
      for (let other = nextGoal(); other !== undefined && searchLeft > 0; other = nextGoal()) {
        const from = at(runs.graph.targets, path.at(-1) ?? -1);
        const limit = Math.min(this.lengthTo(other), eventsLeft - path.length) + 1;
        const found = shortestPath(runs.graph, from, (_, edge) => isNew(edge), limit);
        searchLeft -= found.edgesVisited;
        if (found.edges === undefined) break;
        take(path, found.edges);
      }
      eventsLeft -= path.length;
      addPath(runs.stateOf(at(this.sourceOf, path[0] ?? -1)), path);
    }
    for (const root of items.machine.roots)
      if (items.ofEntry(root).some((item) => left.has(item))) addPath(root, []);
    return { paths, leftOut: left };
  }

  /** The events of the shortest run that takes this edge. */
  private lengthTo(edge: number): number {
    return at(this.runs.reached.distance, at(this.sourceOf, edge)) + 1;
  }

  private eventName(edge: number): string {
    const state = this.items.machine.states[this.runs.stateOf(at(this.sourceOf, edge))];
    return state?.edges[at(this.runs.eventOf, edge)]?.event ?? "";
  }
}

/** A reader steps through these, so there are few, or else none. */
const maxPaths = 30;
const maxPathEvents = 1_000;
const maxStatesToPlay = 200;

export function pathsToPlay(machine: Machine): readonly Trace[] {
  if (machine.states.length > maxStatesToPlay) return [];
  const { items, paths } = findPaths(machine);
  const events = paths.reduce((sum, path) => sum + path.events.length, 0);
  if (paths.length > maxPaths || events > maxPathEvents) return [];
  const tried = new Tried(items);
  return paths.map((path) => tried.walkPath(path).trace);
}

const maxGuidedEvents = 500_000;

/** Where there are too many runs to explore: paths along events to every state, and until a guard is spent. */
function guidedPaths(items: CoverageItems): Paths {
  const { machine } = items;
  const structure = buildStructure(machine);
  const walker = new Walker(items);
  const { eventOf, reached } = eventRunGraph(structure);
  for (const state of reached.order) {
    while (walker.eventToTry(state) !== undefined && walker.eventsLeft > at(reached.distance, state)) {
      const { start, edges } = pathTo(reached, state);
      const events = edges.map((edge) => at(eventOf, edge));
      walker.walk(start, events);
    }
  }
  for (const root of machine.roots) if (!walker.has(root)) walker.walk(root, []);
  spendGuards(walker, structure);
  const { paths, done: coverable } = walker;
  const undecided = new Set([...possibleItems(items, structure)].filter((item) => !coverable.has(item)));
  return { items, coverable, paths, undecided, leftOut: new Set() };
}

/** Follows events on the machine, and then goes on while there is something to try. */
class Walker extends Tried {
  readonly paths: Path[] = [];
  eventsLeft = maxGuidedEvents;
  /** Events that led to no state, or were refused, when they were sent. */
  private readonly givenUp = new Set<number>();
  /** For each state, its events that may be new, the first one last. */
  private readonly eventsToTry: number[][] = [];

  eventToTry(index: number): number | undefined {
    const state = this.items.machine.states[index];
    if (state === undefined) return undefined;
    const isOld = (event: number): boolean => {
      const item = this.items.transition(index, event);
      return state.edges[event]?.target === DANGLING || this.has(item) || this.givenUp.has(item);
    };
    const left = (this.eventsToTry[index] ??= knownEventsOf(state).numbers.toReversed());
    for (let event = left.at(-1); event !== undefined && isOld(event); event = left.at(-1)) left.pop();
    return left.at(-1);
  }

  walk(root: number, events: readonly (number | string)[]): void {
    const { items } = this;
    const run = new RunState(items.machine).enter(root);
    const names: string[] = [];
    this.start(root);
    const send = (event: number): void => {
      const from = run.current;
      const outcome = run.peek(event);
      if (outcome.kind === "dangling" || run.isRefused(outcome))
        return void this.givenUp.add(items.transition(from.index, event));
      this.add(items.ofEvent(from.index, event, outcome));
      names.push(from.edges[event]?.event ?? "");
      run.advance(event);
      this.eventsLeft--;
    };
    for (const event of events) {
      if (run.status !== "running") break;
      send(typeof event === "string" ? (run.eventsByName.get(event) ?? -1) : event);
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
function spendGuards(walker: Walker, { machine, mayBeSpent, entered }: Structure): void {
  const { items } = walker;
  const guided = new GuidedRuns(machine);
  const indexByName = new Map(machine.states.map(({ name, index }) => [name, index]));
  const sources = new Map<number, number[]>();
  for (const { index, edges } of machine.states)
    for (const { target } of edges) if (mayBeSpent.has(target)) appendTo(sources, target, index);
  for (const [guard, states] of sources) {
    const isMet = walker.has(items.stopped(guard)) || walker.has(items.forcedExit(guard));
    if (isMet || !entered.has(guard)) continue;
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
function* possibleItems(
  items: CoverageItems,
  { machine, mayBeSpent, entered }: Structure,
): Generator<number> {
  for (const { index, edges, forcedExit } of machine.states) {
    if (!entered.has(index)) continue;
    yield* items.ofEntry(index);
    for (const [event, { target }] of edges.entries())
      if (target !== DANGLING) yield items.transition(index, event);
    if (!mayBeSpent.has(index)) continue;
    if (forcedExit === undefined) yield items.stopped(index);
    else if (forcedExit !== DANGLING) yield items.forcedExit(index);
  }
}
