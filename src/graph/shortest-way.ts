import { at, type Digraph } from "./digraph.js";

export interface PathSearch {
  /** The edges of the way in order; absent when there is none as short as asked for. */
  readonly edges: readonly number[] | undefined;
  /** How many edges were looked at. */
  readonly edgesVisited: number;
}

/** The shortest way from `node` back to itself, in fewer than `limit` steps, over nodes that `may` be entered. */
export function shortestCycle(
  graph: Digraph,
  node: number,
  may: (node: number) => boolean,
  limit = Infinity,
): PathSearch {
  return shortestPath(graph, node, (target) => target === node, may, limit);
}

/** The shortest way of at least one step from `node` to a goal, in fewer than `limit` steps, over nodes that `may` be entered. */
export function shortestPath(
  graph: Digraph,
  node: number,
  isGoal: (node: number) => boolean,
  may: (node: number) => boolean = () => true,
  limit = Infinity,
): PathSearch {
  const cameBy = new Map<number, { readonly from: number; readonly edge: number; readonly steps: number }>();
  const queue = [node];
  let edgesVisited = 0;
  for (const from of queue) {
    const steps = (cameBy.get(from)?.steps ?? 0) + 1;
    if (steps >= limit) break;
    for (let edge = at(graph.offsets, from); edge < at(graph.offsets, from + 1); edge++) {
      edgesVisited++;
      const target = at(graph.targets, edge);
      if (isGoal(target)) return { edges: [...edgesTo(from), edge], edgesVisited };
      if (cameBy.has(target) || !may(target)) continue;
      cameBy.set(target, { from, edge, steps });
      queue.push(target);
    }
  }
  return { edges: undefined, edgesVisited };

  function edgesTo(last: number): readonly number[] {
    const edges: number[] = [];
    for (let step = cameBy.get(last); step !== undefined; step = cameBy.get(step.from)) edges.push(step.edge);
    return edges.reverse();
  }
}
