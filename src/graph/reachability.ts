import type { Components } from "./components.js";
import { at, type Digraph, filled, successors } from "./digraph.js";

/** For each node, its distance from a start, its parent and the edge between them, or -1. */
export interface BreadthFirstTree {
  readonly distance: readonly number[];
  readonly parent: readonly number[];
  readonly edge: readonly number[];
  /** The reached nodes, nearest first. */
  readonly order: readonly number[];
}

/** Visits nodes at the same distance in edge order. */
export function breadthFirstSearch(graph: Digraph, starts: Iterable<number>): BreadthFirstTree {
  const distance = filled(graph.size, -1);
  const parent = filled(graph.size, -1);
  const edge = filled(graph.size, -1);
  const order: number[] = [];
  for (const start of starts) {
    if (at(distance, start) !== -1) continue;
    distance[start] = 0;
    order.push(start);
  }
  // Appended to while iterating.
  for (const node of order) {
    for (let e = at(graph.offsets, node); e < at(graph.offsets, node + 1); e++) {
      const target = at(graph.targets, e);
      if (at(distance, target) !== -1) continue;
      distance[target] = at(distance, node) + 1;
      parent[target] = node;
      edge[target] = e;
      order.push(target);
    }
  }
  return { distance, parent, edge, order };
}

export function pathTo(found: BreadthFirstTree, node: number): readonly number[] {
  const path: number[] = [];
  for (let current = node; at(found.edge, current) !== -1; current = at(found.parent, current)) {
    path.push(at(found.edge, current));
  }
  return path.reverse();
}

/** Marks every node reachable from `starts`, including themselves. */
export function reachable(graph: Digraph, starts: Iterable<number>): readonly number[] {
  const marked = filled(graph.size, 0);
  const open: number[] = [];
  const mark = (node: number): void => {
    if (marked[node] === 1) return;
    marked[node] = 1;
    open.push(node);
  };
  for (const start of starts) mark(start);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const end = at(graph.offsets, node + 1);
    for (let e = at(graph.offsets, node); e < end; e++) mark(at(graph.targets, e));
  }
  return marked;
}

/** Marks every node from which a goal is reachable, including goals. */
export function canReach(
  { offsets, targets }: Digraph,
  { of, order, count }: Components,
  isGoal: (node: number) => boolean,
): readonly number[] {
  const reaching = filled(count, 0);
  for (const node of order) {
    const part = of[node] ?? 0;
    let found = reaching[part] === 1 || isGoal(node);
    const end = offsets[node + 1] ?? 0;
    for (let e = offsets[node] ?? 0; e < end && !found; e++) found = reaching[of[targets[e] ?? 0] ?? 0] === 1;
    if (found) reaching[part] = 1;
  }
  return of.map((part) => at(reaching, part));
}

/** Marks every node reachable from `starts` by at least one edge. */
export function reachableFromSuccessors(graph: Digraph, starts: readonly number[]): readonly number[] {
  return reachable(
    graph,
    starts.flatMap((start) => successors(graph, start)),
  );
}
