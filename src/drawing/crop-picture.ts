import { severities } from "../diagnostic.js";
import { appendTo } from "../text/collections.js";
import { isStateNode, type Picture, type PictureEdge, type PictureNode } from "./picture.js";

/** What a format can show. */
export interface CropLimits {
  readonly states: number;
  readonly edges: number;
  /** Whether it can be drawn after all; asked of ever smaller parts. */
  readonly fits?: (picture: Picture) => boolean;
}

/** The picture itself, or the largest tried part of it that is within the bounds. */
export function cropPicture(picture: Picture, bounds: CropLimits): Picture {
  const fits = (part: Picture): boolean => part.edges.length <= bounds.edges && bounds.fits?.(part) !== false;
  if (picture.states <= bounds.states && fits(picture)) return picture;
  const choose = stateSelector(picture);
  for (let size = Math.min(bounds.states, picture.states); ; size = Math.floor(size * 0.75)) {
    const part = extractStates(picture, choose(size));
    if (size <= 1 || fits(part)) return part;
  }
}

/** Half of the room is for what findings speak of, the gravest first, then what is around it, and around the entries. */
function stateSelector(picture: Picture): (most: number) => ReadonlySet<string> {
  const states = idsOfKind(picture, "state");
  const beside = neighborsById(picture.edges);
  const spoken = nodesWithFindings(picture);
  const entered = entryNodes(picture);
  return (most) => {
    const order = new Set<string>();
    for (const seeds of [spoken.slice(0, Math.max(1, Math.ceil(most / 2))), entered, states]) {
      for (const seed of seeds) if (order.size < most * 2) order.add(seed);
      // It grows while it is walked.
      for (const id of order)
        for (const next of beside.get(id) ?? []) if (order.size < most * 2) order.add(next);
    }
    return new Set([...order].filter((id) => states.has(id)).slice(0, most));
  };
}

function idsOfKind({ nodes }: Picture, kind: PictureNode["kind"]): ReadonlySet<string> {
  return new Set(nodes.filter((node) => node.kind === kind).map(({ id }) => id));
}

function nodesWithFindings({ findings }: Picture): readonly string[] {
  const gravestFirst = severities.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity).flatMap((finding) => finding.nodes),
  );
  return [...new Set(gravestFirst)];
}

function entryNodes({ edges }: Picture): readonly string[] {
  return edges.flatMap(({ kind, to }) => (kind === "start" ? to : []));
}

function neighborsById(edges: readonly PictureEdge[]): ReadonlyMap<string, readonly string[]> {
  const beside = new Map<string, string[]>();
  for (const { from, to } of edges) {
    appendTo(beside, from, to);
    appendTo(beside, to, from);
  }
  return beside;
}

/** The chosen states, the ghosts and starts beside them, and the edges between. */
function extractStates(picture: Picture, chosen: ReadonlySet<string>): Picture {
  const ghosts = idsOfKind(picture, "ghost");
  const kept = new Set(chosen);
  const hidden = new Map<string, number>();
  const edges: PictureEdge[] = [];
  for (const edge of picture.edges) {
    const from = chosen.has(edge.from) || (edge.kind === "start" && chosen.has(edge.to));
    const to = chosen.has(edge.to) || (ghosts.has(edge.to) && chosen.has(edge.from));
    if (from && to) {
      edges.push(edge);
      kept.add(edge.from).add(edge.to);
    } else if (from !== to) {
      const inside = from ? edge.from : edge.to;
      hidden.set(inside, (hidden.get(inside) ?? 0) + 1);
    }
  }
  const nodes: PictureNode[] = picture.nodes.flatMap((node) => {
    if (!kept.has(node.id)) return [];
    return isStateNode(node) ? { ...node, hiddenEdges: hidden.get(node.id) ?? 0 } : node;
  });
  const around = picture.findings.some((finding) => finding.nodes.length > 0) ? "findings" : "entry";
  return { ...picture, nodes, edges, crop: { drawn: chosen.size, around } };
}

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
