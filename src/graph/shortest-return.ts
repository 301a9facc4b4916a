import { at, type Digraph } from "./digraph.js";
import type { PathSearch } from "./shortest-way.js";
import { pathTo, type BreadthFirstTree } from "./reachability.js";

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
