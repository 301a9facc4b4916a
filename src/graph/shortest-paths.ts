import { at, type Digraph } from "./digraph.js";
import { type BreadthFirstTree, pathTo } from "./reachability.js";

interface PathSearch {
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

/**
 * The shortest way from a start that comes to `home` twice, in fewer than `limit` steps. `reached` tells how each node
 * is first reached, and `home` lists nodes, the nearest first; the way back leads over nodes that `may` be entered.
 */
export function shortestPathVisitingTwice(
  graph: Digraph,
  reached: BreadthFirstTree,
  home: readonly number[],
  limit: number,
  may?: (node: number) => boolean,
): PathSearch {
  const isHome = new Set(home);
  const cameBy = new Map<number, { readonly from: number; readonly edge: number }>();
  // Two queues, each in the order of distance: nodes of `home` that are come to once, and where one gets from there.
  const away: { readonly node: number; readonly distance: number }[] = [];
  let left = 0;
  let met = 0;
  let edgesVisited = 0;
  for (;;) {
    const first = home[left];
    const next = away[met];
    const fromHome = first === undefined ? Infinity : at(reached.distance, first);
    const distance = Math.min(fromHome, next?.distance ?? Infinity);
    if (distance + 1 >= limit) return { edges: undefined, edgesVisited };
    const node = fromHome === distance ? first : next?.node;
    if (node === undefined) return { edges: undefined, edgesVisited };
    if (fromHome === distance) left++;
    else met++;
    for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++) {
      edgesVisited++;
      const target = at(graph.targets, edge);
      if (isHome.has(target)) return { edges: [...edgesTo(node), edge], edgesVisited };
      if (cameBy.has(target) || (may !== undefined && !may(target))) continue;
      cameBy.set(target, { from: node, edge });
      away.push({ node: target, distance: distance + 1 });
    }
  }

  function edgesTo(last: number): readonly number[] {
    const edges: number[] = [];
    let origin = last;
    for (let step = cameBy.get(origin); step !== undefined; step = cameBy.get(origin)) {
      edges.push(step.edge);
      origin = step.from;
    }
    return [...pathTo(reached, origin), ...edges.reverse()];
  }
}
