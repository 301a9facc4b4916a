import type { Trace } from "../diagnostic.js";
import { type Components, isOnCycle } from "../graph/components.js";
import { at, type Digraph } from "../graph/digraph.js";
import { type BreadthFirstTree, pathTo } from "../graph/reachability.js";
import { shortestCycle, shortestPath, shortestPathVisitingTwice } from "../graph/shortest-paths.js";
import { lazy } from "../text/collections.js";
import type { Facts } from "./facts.js";
import type { Machine } from "./machine.js";
import { stepsOf } from "./run.js";

/** A graph whose paths from a start are runs. */
export interface RunGraph {
  readonly graph: Digraph;
  readonly starts: readonly number[];
  readonly stateOf: (node: number) => number;
  readonly reached: BreadthFirstTree;
  readonly eventOf: readonly number[];
}

/** Bounds the search for the shortest loop; after that, the best one found is used. */
const maxEdgesSearched = 2_000_000;
/** Bounds the steps of all traces together: many loops at the end of a long chain would be quadratic. */
const maxTraceSteps = 200_000;
/** From a trap to a loop in it, which may start only after a guard was spent in thousands of steps. */
const maxStepsBeforeLap = 20;

/** Finds the shortest runs that show a fault, and traces them. */
export class Witnesses {
  private stepsLeft = maxTraceSteps;
  private searchLeft = maxEdgesSearched;

  constructor(
    private readonly machine: Machine,
    private readonly runs: RunGraph,
  ) {}

  get reached(): BreadthFirstTree {
    return this.runs.reached;
  }

  nearest(test: (node: number) => boolean): number | undefined {
    return this.reached.order.find(test);
  }

  nearestFirst(nodes: readonly number[]): readonly number[] {
    const { distance } = this.reached;
    return [...nodes].sort((a, b) => at(distance, a) - at(distance, b) || a - b);
  }

  entriesTo(node: number): number {
    return at(this.reached.distance, node) + 1;
  }

  /** The run is traced only if it is shown. */
  completeRun(node: number | undefined): Facts["shortestComplete"] {
    if (node === undefined) return undefined;
    const trace = lazy(() => this.runTo(node));
    return {
      entries: this.entriesTo(node),
      get witness() {
        return trace();
      },
    };
  }

  /** The shortest run into a loop and once around it, within a component. */
  lasso(nodes: readonly number[], inSameComponent: (a: number, b: number) => boolean): Trace | undefined {
    let best: { node: number; loop: readonly number[]; length: number } | undefined;
    for (const node of this.nearestFirst(nodes)) {
      const stem = at(this.reached.distance, node);
      const limit = best === undefined ? Infinity : best.length - stem;
      if (limit <= 1 || (best !== undefined && this.searchLeft < 0)) break;
      const found = shortestCycle(this.runs.graph, node, (next) => inSameComponent(node, next), limit);
      this.searchLeft -= found.edgesVisited;
      if (found.edges === undefined) continue;
      best = { node, loop: found.edges, length: stem + found.edges.length };
    }
    if (best === undefined) return undefined;
    const trace = this.runTo(best.node, best.loop);
    return trace && { ...trace, loopFrom: at(this.reached.distance, best.node) };
  }

  /** The shortest run to a node, from there into a nearby loop, and once around it. */
  runIntoLoop(node: number, parts: Components): Trace | undefined {
    const { graph } = this.runs;
    const inLoop = (other: number): boolean => isOnCycle(parts, other);
    const path = inLoop(node) ? [] : shortestPath(graph, node, inLoop, maxStepsBeforeLap).edges;
    if (path === undefined) return undefined;
    const last = path.at(-1);
    const start = last === undefined ? node : at(graph.targets, last);
    const inSameComponent = (other: number): boolean => at(parts.of, other) === at(parts.of, start);
    const { edges: lap = [] } = shortestCycle(graph, start, inSameComponent);
    const trace = this.runTo(node, [...path, ...lap]);
    return trace && { ...trace, loopFrom: at(this.reached.distance, node) + path.length };
  }

  /** The shortest run that visits one of these groups of nodes twice. Each group lists the nearest node first. */
  runEnteringTwice(
    groups: Iterable<readonly number[]>,
    canEnter?: (node: number) => boolean,
  ): Trace | undefined {
    let best: readonly number[] | undefined;
    for (const group of groups) {
      if (this.searchLeft < 0) break;
      const limit = best?.length ?? this.stepsLeft + 1;
      const found = shortestPathVisitingTwice(this.runs.graph, this.reached, group, limit, canEnter);
      this.searchLeft -= found.edgesVisited;
      best = found.edges ?? best;
    }
    const [first = -1] = best ?? [];
    const { offsets } = this.runs.graph;
    const start = this.runs.starts.find(
      (node) => at(offsets, node) <= first && first < at(offsets, node + 1),
    );
    return best === undefined || start === undefined ? undefined : this.traceEdges(start, best);
  }

  /** The shortest run to a node, and onward; undefined once the steps are used up. */
  runTo(node: number | undefined, onward: readonly number[] = []): Trace | undefined {
    // Checked before listing the path, which may be long.
    if (node === undefined || at(this.reached.distance, node) + onward.length > this.stepsLeft)
      return undefined;
    let start = node;
    while (at(this.reached.parent, start) !== -1) start = at(this.reached.parent, start);
    return this.traceEdges(start, [...pathTo(this.reached, node), ...onward]);
  }

  private traceEdges(start: number, edges: readonly number[]): Trace | undefined {
    if (edges.length > this.stepsLeft) return undefined;
    this.stepsLeft -= edges.length;
    const events = edges.map((edge) => at(this.runs.eventOf, edge));
    return { steps: stepsOf(this.machine, this.runs.stateOf(start), events) };
  }
}
