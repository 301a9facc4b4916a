import { isStateNode, type Picture } from "./picture.js";
import { cropPicture } from "./take-part.js";

/** What can be laid out within seconds, and looked at. */
const maxStates = 1_000;
const maxEdges = 2_000;
const maxBends = 6_000;

export function cropForLayout(picture: Picture): Picture {
  return cropPicture(picture, {
    states: maxStates,
    edges: maxEdges,
    fits: (part) => countBends(part) <= maxBends,
  });
}

/** Whether looking for the ranks that make edges shortest would take longer than all the rest. */
export function needsFastRanking({ nodes, edges }: Picture): boolean {
  return nodes.filter(isStateNode).length > 300 || edges.length > 800;
}

/**
 * How many places long edges pass on their way: the layout's time grows with them. Each edge counts the ranks between
 * its ends, where a node's rank is the longest way to it over the edges that do not lead back.
 */
export function countBends(picture: Picture): number {
  const out = new Map<string, string[]>(picture.nodes.map(({ id }) => [id, []]));
  for (const { from, to } of picture.edges) if (from !== to) out.get(from)?.push(to);
  const order = postOrder(out).reverse();
  const place = new Map(order.map((id, index) => [id, index]));
  const rank = new Map<string, number>();
  for (const id of order) {
    const own = rank.get(id) ?? 0;
    for (const next of out.get(id) ?? []) {
      if ((place.get(next) ?? 0) > (place.get(id) ?? 0))
        rank.set(next, Math.max(rank.get(next) ?? 0, own + 1));
    }
  }
  return picture.edges.reduce((sum, { from, to }) => {
    return sum + 2 * Math.abs((rank.get(from) ?? 0) - (rank.get(to) ?? 0));
  }, 0);
}

/** Depth first, without recursion; a node comes after everything it leads to, edges back left out. */
function postOrder(out: ReadonlyMap<string, readonly string[]>): string[] {
  const finished: string[] = [];
  const seen = new Set<string>();
  for (const start of out.keys()) {
    if (seen.has(start)) continue;
    seen.add(start);
    const path: { readonly id: string; next: number }[] = [{ id: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = out.get(top.id)?.[top.next++];
      if (next === undefined) {
        finished.push(top.id);
        path.pop();
      } else if (!seen.has(next)) {
        seen.add(next);
        path.push({ id: next, next: 0 });
      }
    }
  }
  return finished;
}
