import type { Trace } from "../diagnostic.js";
import { type Components, isOnCycle } from "../graph/components.js";
import { at, type Digraph } from "../graph/digraph.js";
import { type BreadthFirstTree, pathTo } from "../graph/reachability.js";
import { shortestCycle, shortestPath, shortestPathVisitingTwice } from "../graph/shortest-paths.js";
import { lazy } from "../text/collections.js";
import type { Facts } from "./facts.js";
import type { Machine } from "./machine.js";
import { Run } from "./run.js";

/** A graph whose paths from a start are runs. */
export interface RunGraph {
  readonly graph: Digraph;
  readonly starts: readonly number[];
  /** The state a node stands for. */
  readonly stateOf: (node: number) => number;
  /** How each node is reached from the starts. */
  readonly reached: BreadthFirstTree;
  /** For each edge, which event of its state it is. */
  readonly eventOf: readonly number[];
}

/** Edges looked at while searching for the shortest loop: past this, a loop that is short enough will do. */
const maxEdgesSearched = 2_000_000;
/** Steps written down for one workflow: ten thousand loops at the end of a long chain would be quadratic. */
const maxTraceSteps = 200_000;

/** Steps from where a run is caught to where it goes round: a guard to be spent first may hold that off for thousands. */
const maxStepsBeforeLap = 20;

/** Finds the shortest runs that show a fault, and writes them down by running them. */
export class Witnesses {
  private stepsLeft = maxTraceSteps;
  private searchLeft = maxEdgesSearched;

  constructor(
    private readonly machine: Machine,
    private readonly runs: RunGraph,
  ) {}

  /** Every node, nearest to a start first. */
  get reached(): BreadthFirstTree {
    return this.runs.reached;
  }

  /** The nearest node for which `test` holds. */
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

  /** A run to a node in which it completes, written down only when it is to be shown. */
  completeRun(node: number): Facts["shortestComplete"] {
    const write = lazy(() => this.runTo(node));
    return {
      entries: this.entriesTo(node),
      get witness() {
        return write();
      },
    };
  }

  /** The shortest run to a node; nothing once the steps are used up. */
  runTo(node: number): Trace | undefined {
    return this.traceTo(node, []);
  }

  /** The shortest way into a loop and once around it, over nodes that belong `together`. */
  lasso(nodes: readonly number[], together: (a: number, b: number) => boolean): Trace | undefined {
    let best:
      { readonly node: number; readonly loop: readonly number[]; readonly length: number } | undefined;
    for (const node of this.nearestFirst(nodes)) {
      const stem = at(this.reached.distance, node);
      const limit = best === undefined ? Infinity : best.length - stem;
      if (limit <= 1 || (best !== undefined && this.searchLeft < 0)) break;
      const found = shortestCycle(this.runs.graph, node, (next) => together(node, next), limit);
      this.searchLeft -= found.edgesVisited;
      if (found.edges === undefined) continue;
      best = { node, loop: found.edges, length: stem + found.edges.length };
    }
    if (best === undefined) return undefined;
    const trace = this.traceTo(best.node, best.loop);
    return trace === undefined ? undefined : { ...trace, loopFrom: at(this.reached.distance, best.node) };
  }

  /** The shortest run to a node, from there a short way into a loop, and once around it; `parts` are those of the graph. */
  runIntoLoop(node: number, parts: Components): Trace | undefined {
    const { graph } = this.runs;
    const inLoop = (other: number): boolean => isOnCycle(parts, other);
    const way = inLoop(node) ? [] : shortestPath(graph, node, inLoop, undefined, maxStepsBeforeLap).edges;
    if (way === undefined) return undefined;
    const last = way.at(-1);
    const home = last === undefined ? node : at(graph.targets, last);
    const { edges: lap = [] } = shortestCycle(
      graph,
      home,
      (other) => at(parts.of, other) === at(parts.of, home),
    );
    const trace = this.traceTo(node, [...way, ...lap]);
    return trace && { ...trace, loopFrom: at(this.reached.distance, node) + way.length };
  }

  /**
   * The shortest run that comes to one of these groups of nodes twice, and back over nodes that `may` be entered; each
   * group lists the nearest first.
   */
  runEnteringTwice(groups: Iterable<readonly number[]>, may?: (node: number) => boolean): Trace | undefined {
    let best: readonly number[] | undefined;
    for (const home of groups) {
      if (this.searchLeft < 0) break;
      // What is too long to be written down is not even listed: there may be many.
      const limit = best?.length ?? this.stepsLeft + 1;
      const found = shortestPathVisitingTwice(this.runs.graph, this.reached, home, limit, may);
      this.searchLeft -= found.edgesVisited;
      best = found.edges ?? best;
    }
    const [first] = best ?? [];
    const start = this.runs.starts.find((node) => first !== undefined && this.isEdgeFrom(node, first));
    return best === undefined || start === undefined ? undefined : this.traceEdges(start, best);
  }

  private isEdgeFrom(node: number, edge: number): boolean {
    const { offsets } = this.runs.graph;
    return at(offsets, node) <= edge && edge < at(offsets, node + 1);
  }

  private traceTo(node: number, onward: readonly number[]): Trace | undefined {
    // Asked before the way is listed: it may be long, and there may be many.
    if (at(this.reached.distance, node) + onward.length > this.stepsLeft) return undefined;
    return this.traceEdges(this.startOf(node), [...pathTo(this.reached, node), ...onward]);
  }

  private traceEdges(start: number, edges: readonly number[]): Trace | undefined {
    if (edges.length > this.stepsLeft) return undefined;
    this.stepsLeft -= edges.length;
    const run = new Run(this.machine, this.runs.stateOf(start));
    return { steps: edges.flatMap((edge) => run.fire(at(this.runs.eventOf, edge)) ?? []) };
  }

  private startOf(node: number): number {
    let start = node;
    while (at(this.reached.parent, start) !== -1) start = at(this.reached.parent, start);
    return start;
  }
}
