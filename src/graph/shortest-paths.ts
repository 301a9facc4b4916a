import { at, type Digraph } from "./digraph.js";
import { type BreadthFirstTree, pathTo } from "./reachability.js";

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
      if (isGoal(target, edge)) return { edges: [...pathFrom(parents, from).edges, edge], edgesVisited };
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
): PathSearch {
  const isGoal = new Set(goals);
  const parents: Parents = new Map();
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
    if (node === undefined || distance + 1 >= limit) return { edges: undefined, edgesVisited };
    if (goalDistance === distance) nextGoal++;
    else nextReached++;
    for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
      edgesVisited++;
      const target = at(graph.targets, edge);
      if (isGoal.has(target)) {
        const { origin, edges } = pathFrom(parents, node);
        return { edges: [...pathTo(tree, origin), ...edges, edge], edgesVisited };
      }
      if (parents.has(target) || !canEnter(target)) continue;
      parents.set(target, { from: node, edge });
      reached.push({ node: target, distance: distance + 1 });
    }
  }
}

type Parents = Map<number, { readonly from: number; readonly edge: number }>;

/** The path to `node` from the first node without a parent. */
function pathFrom(parents: Parents, node: number): { origin: number; edges: readonly number[] } {
  const edges: number[] = [];
  let origin = node;
  for (let step = parents.get(origin); step !== undefined; step = parents.get(origin)) {
    edges.push(step.edge);
    origin = step.from;
  }
  return { origin, edges: edges.reverse() };
}
