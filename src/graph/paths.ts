import { at, type Components, type Digraph, filled, successors } from "./digraph.js";

/** For each node, its distance from a start, its parent and the edge between them, or -1. */
export interface BreadthFirstTree {
  readonly distance: readonly number[];
  readonly parent: readonly number[];
  readonly edge: readonly number[];
  /** The reached nodes, nearest first. */
  readonly order: readonly number[];
}

/** Visits nodes at the same distance in edge order, and goes on from those that it `mayLeave`. */
export function breadthFirstSearch(
  graph: Digraph,
  starts: Iterable<number>,
  mayLeave: (node: number) => boolean = () => true,
): BreadthFirstTree {
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
    if (!mayLeave(node)) continue;
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

export interface Path {
  readonly start: number;
  readonly edges: readonly number[];
}

/** The path to a node from the first one that no step leads to. */
export function pathFromSteps(
  node: number,
  stepTo: (node: number) => { readonly from: number; readonly edge: number } | undefined,
): Path {
  const edges: number[] = [];
  let start = node;
  for (let step = stepTo(start); step !== undefined; step = stepTo(start)) {
    edges.push(step.edge);
    start = step.from;
  }
  return { start, edges: edges.reverse() };
}

export function pathTo({ parent, edge }: BreadthFirstTree, node: number): Path {
  return pathFromSteps(node, (target) =>
    at(edge, target) === -1 ? undefined : { from: at(parent, target), edge: at(edge, target) },
  );
}

/** Every node reachable from `starts`, nearest first, including themselves. */
export function reachable(graph: Digraph, starts: Iterable<number>): readonly number[] {
  return breadthFirstSearch(graph, starts).order;
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

/** Every node reachable from `starts` by at least one edge, nearest first. */
export function reachableFromSuccessors(graph: Digraph, starts: readonly number[]): readonly number[] {
  const next = starts.flatMap((start) => successors(graph, start));
  return reachable(graph, next);
}

interface PathSearch {
  /** The edges of the path, or undefined if there is none shorter than the limit. */
  readonly edges: readonly number[] | undefined;
  readonly edgesVisited: number;
}

/** The shortest cycle through `node` of fewer than `limit` steps, over nodes that it `canEnter`. */
export function shortestCycle(
  graph: Digraph,
  node: number,
  canEnter: (node: number) => boolean,
  limit = Infinity,
): PathSearch {
  return shortestPath(graph, node, (target) => target === node, limit, canEnter);
}

/** The shortest path of at least one and fewer than `limit` steps from `node` to a goal. */
export function shortestPath(
  graph: Digraph,
  node: number,
  isGoal: (node: number, edge: number) => boolean,
  limit: number,
  canEnter: (node: number) => boolean = () => true,
): PathSearch {
  const parents = new Map<number, { readonly from: number; readonly edge: number; readonly steps: number }>();
  const queue = [node];
  let edgesVisited = 0;
  for (const from of queue) {
    const steps = (parents.get(from)?.steps ?? 0) + 1;
    if (steps >= limit) break;
    for (let edge = at(graph.offsets, from); edge < at(graph.offsets, from + 1); edge++) {
      edgesVisited++;
      const target = at(graph.targets, edge);
      if (isGoal(target, edge))
        return { edges: [...pathFromSteps(from, (each) => parents.get(each)).edges, edge], edgesVisited };
      if (target === node || parents.has(target) || !canEnter(target)) continue;
      parents.set(target, { from, edge, steps });
      queue.push(target);
    }
  }
  return { edges: undefined, edgesVisited };
}

/**
 * The shortest path of fewer than `limit` steps that starts as in `tree`, visits `goals` twice, and returns over nodes
 * that it `canEnter`. The goals must be sorted by distance.
 */
export function shortestPathVisitingTwice(
  graph: Digraph,
  tree: BreadthFirstTree,
  goals: readonly number[],
  limit: number,
  canEnter: (node: number) => boolean = () => true,
): { readonly path: Path | undefined; readonly edgesVisited: number } {
  const isGoal = new Set(goals);
  const parents = new Map<number, { readonly from: number; readonly edge: number }>();
  // Two queues sorted by distance: goals visited once, and nodes reached from them.
  const reached: { readonly node: number; readonly distance: number }[] = [];
  let nextGoal = 0;
  let nextReached = 0;
  let edgesVisited = 0;
  for (;;) {
    const goal = goals[nextGoal];
    const other = reached[nextReached];
    const goalDistance = goal === undefined ? Infinity : at(tree.distance, goal);
    const distance = Math.min(goalDistance, other?.distance ?? Infinity);
    const node = goalDistance === distance ? goal : other?.node;
    if (node === undefined || distance + 1 >= limit) return { path: undefined, edgesVisited };
    if (goalDistance === distance) nextGoal++;
    else nextReached++;
    for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
      edgesVisited++;
      const target = at(graph.targets, edge);
      if (isGoal.has(target)) {
        const again = pathFromSteps(node, (each) => parents.get(each));
        const { start, edges } = pathTo(tree, again.start);
        return { path: { start, edges: [...edges, ...again.edges, edge] }, edgesVisited };
      }
      if (parents.has(target) || !canEnter(target)) continue;
      parents.set(target, { from: node, edge });
      reached.push({ node: target, distance: distance + 1 });
    }
  }
}
