import type { Trace } from "../diagnostic.js";
import { at } from "../graph/digraph.js";
import { pathTo } from "../graph/reachability.js";
import { shortestPath } from "../graph/shortest-paths.js";
import { exploreSystem, MachineRuns, type Monitor, type SystemRuns, Work } from "../machine/explore.js";
import type { Machine } from "../machine/machine.js";
import type { Outcome } from "../machine/run.js";
import { CoverageItems, type Path, type Paths, Tried, walkPath } from "./items.js";
import { guidedPaths } from "./guided-paths.js";

export function findPaths(machine: Machine): Paths {
  const items = new CoverageItems(machine);
  const work = new Work();
  const recorder = new EdgeRecorder(items);
  const runs = exploreSystem(new MachineRuns(machine, work, recorder), work);
  if (!runs.isComplete) return guidedPaths(items);
  const planner = new PathPlanner(machine, items, runs, recorder.itemsOf);
  return { items, coverable: planner.coverable, undecided: new Set(), ...planner.plan() };
}

class EdgeRecorder implements Monitor {
  readonly tags = 1;
  readonly itemsOf: (readonly number[])[] = [];

  constructor(private readonly items: CoverageItems) {}

  start(): number {
    return 0;
  }

  next(_tag: number, from: number, event: number, outcome: Outcome): number {
    this.itemsOf.push(this.items.ofEvent(from, event, outcome));
    return 0;
  }
}

/** Bounds the events of all paths, and the search for what to do next. */
const maxEvents = 1_000_000;
const maxEdgesSearched = 2_000_000;

type Plan = Pick<Paths, "paths" | "leftOut">;

/** Plans runs over the whole graph of configurations. */
class PathPlanner {
  readonly coverable: ReadonlySet<number>;
  /** For each item, the first edge that does it, whose source is as near as any. */
  private readonly firstEdge = new Map<number, number>();
  private readonly sourceOf: number[] = [];

  constructor(
    private readonly machine: Machine,
    private readonly items: CoverageItems,
    private readonly runs: SystemRuns,
    private readonly itemsOf: readonly (readonly number[])[],
  ) {
    const { graph } = runs;
    for (let node = 0; node < graph.size; node++)
      for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
        this.sourceOf.push(node);
        for (const item of itemsOf[edge] ?? []) if (!this.firstEdge.has(item)) this.firstEdge.set(item, edge);
      }
    this.coverable = new Set([
      ...machine.roots.flatMap((root) => items.ofEntry(root)),
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
    const { runs, machine, items } = this;
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
      take(path, [...pathTo(runs.reached, at(this.sourceOf, goal)), goal]);
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
    for (const root of machine.roots)
      if (items.ofEntry(root).some((item) => left.has(item))) addPath(root, []);
    return { paths, leftOut: left };
  }

  /** The events of the shortest run that takes this edge. */
  private lengthTo(edge: number): number {
    return at(this.runs.reached.distance, at(this.sourceOf, edge)) + 1;
  }

  private eventName(edge: number): string {
    const state = this.machine.states[this.runs.stateOf(at(this.sourceOf, edge))];
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
  return paths.map((path) => walkPath(path, tried).trace);
}
