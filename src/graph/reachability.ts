import { at, type Digraph, reversed } from "./digraph.js";

/** What a breadth-first walk found: for each node its distance and the edge that led to it, or -1. */
export interface Walk {
  readonly distance: Int32Array;
  readonly parent: Int32Array;
  readonly edge: Int32Array;
  /** The nodes reached, nearest first. */
  readonly order: readonly number[];
}

/** Walks from `starts` along edges whose target `may` be entered; nearest first, ties in edge order. */
export function walk(graph: Digraph, starts: Iterable<number>, may?: (node: number) => boolean): Walk {
  const distance = new Int32Array(graph.size).fill(-1);
  const parent = new Int32Array(graph.size).fill(-1);
  const edge = new Int32Array(graph.size).fill(-1);
  const order: number[] = [];
  for (const start of starts) {
    if (at(distance, start) !== -1) continue;
    distance[start] = 0;
    order.push(start);
  }
  // `order` is the queue as well: it grows while it is walked.
  for (const node of order) {
    for (let e = at(graph.offsets, node); e < at(graph.offsets, node + 1); e++) {
      const target = at(graph.targets, e);
      if (at(distance, target) !== -1 || (may !== undefined && !may(target))) continue;
      distance[target] = at(distance, node) + 1;
      parent[target] = node;
      edge[target] = e;
      order.push(target);
    }
  }
  return { distance, parent, edge, order };
}

/** The edges from a start to `node`, in order. */
export function pathTo(found: Walk, node: number): readonly number[] {
  const path: number[] = [];
  for (let current = node; at(found.edge, current) !== -1; current = at(found.parent, current)) {
    path.push(at(found.edge, current));
  }
  return path.reverse();
}

/** Marks every node that can be reached from `starts`, themselves included. */
export function reachable(graph: Digraph, starts: Iterable<number>): Uint8Array {
  const marked = new Uint8Array(graph.size);
  for (const node of walk(graph, starts).order) marked[node] = 1;
  return marked;
}

/** Marks every node from which one of `goals` can be reached, themselves included. */
export function canReach(graph: Digraph, goals: Iterable<number>): Uint8Array {
  return reachable(reversed(graph), goals);
}

/** Marks every node that can be reached from `starts` over at least one edge. */
export function reachableAfterAStep(graph: Digraph, starts: Iterable<number>): Uint8Array {
  const next: number[] = [];
  for (const start of starts) {
    for (let e = at(graph.offsets, start); e < at(graph.offsets, start + 1); e++)
      next.push(at(graph.targets, e));
  }
  return reachable(graph, next);
}
