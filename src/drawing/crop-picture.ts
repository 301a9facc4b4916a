import { severities } from "../diagnostic.js";
import { appendTo } from "../text/collections.js";
import { isStateNode, type Picture, type PictureComposition, type PictureEdge } from "./picture.js";

interface CropLimits {
  readonly states: number;
  readonly edges: number;
  /** A further check, applied to smaller and smaller parts. */
  readonly fits?: (picture: Picture) => boolean;
}

/** The picture itself, or the largest part tried that is within the limits. */
export function cropPicture(picture: Picture, limits: CropLimits): Picture {
  const fits = (part: Picture): boolean => part.edges.length <= limits.edges && limits.fits?.(part) !== false;
  if (picture.states <= limits.states && fits(picture)) return picture;
  const selectStates = stateSelector(picture);
  for (let size = Math.min(limits.states, picture.states); ; size = Math.floor(size * 0.75)) {
    const part = extractStates(picture, selectStates(size));
    if (size <= 1 || fits(part)) return part;
  }
}

/** Gives half of the room to states with findings, the most severe first, and fills up with what surrounds them and the entries. */
function stateSelector({ nodes, edges, findings }: Picture): (most: number) => ReadonlySet<string> {
  const states = new Set(nodes.filter(isStateNode).map(({ id }) => id));
  const withFindings = new Set(
    severities.flatMap((severity) =>
      findings.filter((finding) => finding.severity === severity).flatMap((finding) => finding.nodes),
    ),
  );
  const entries = edges.flatMap(({ kind, to }) => (kind === "start" ? to : []));
  const neighbors = new Map<string, string[]>();
  for (const { from, to } of edges) {
    appendTo(neighbors, from, to);
    appendTo(neighbors, to, from);
  }
  return (most) => {
    const order = new Set<string>();
    const seedGroups = [[...withFindings].slice(0, Math.max(1, Math.ceil(most / 2))), entries, states];
    for (const seeds of seedGroups) {
      for (const seed of seeds) if (order.size < most * 2) order.add(seed);
      // The set grows during the iteration, which makes this a breadth-first search.
      for (const id of order)
        for (const next of neighbors.get(id) ?? []) if (order.size < most * 2) order.add(next);
    }
    return new Set([...order].filter((id) => states.has(id)).slice(0, most));
  };
}

function extractStates(picture: Picture, chosen: ReadonlySet<string>): Picture {
  const ghosts = new Set(picture.nodes.flatMap(({ id, kind }) => (kind === "ghost" ? id : [])));
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
  const nodes = picture.nodes.flatMap((node) => {
    if (!kept.has(node.id)) return [];
    return isStateNode(node) ? { ...node, hiddenEdges: hidden.get(node.id) ?? 0 } : node;
  });
  const run = new Set(nodes.flatMap((node) => (isStateNode(node) ? (node.composition?.id ?? []) : [])));
  const compositions = picture.compositions.filter(({ id }) => run.has(id));
  const around = picture.findings.some((finding) => finding.nodes.length > 0) ? "findings" : "entry";
  return { ...picture, nodes, edges, compositions, crop: { drawn: chosen.size, around } };
}

/** Shows as many compositions as there is room for, the smallest first. A step takes the room of a state. */
export function cropWithSteps(picture: Picture, limits: CropLimits): Picture {
  const fits = (part: Picture): boolean =>
    part.compositions.reduce((sum, each) => sum + countSteps(each), part.nodes.length) <= limits.states &&
    countEdges(part) <= limits.edges &&
    limits.fits?.(part) !== false;
  const fitsClosed = (part: Picture): boolean => limits.fits?.({ ...part, compositions: [] }) !== false;
  const cropped = cropPicture(picture, { ...limits, fits: fitsClosed });
  const wanted = cropped.compositions;
  const bySize = wanted.toSorted((a, b) => countSteps(a) - countSteps(b));
  for (let size = wanted.length; ; size = Math.floor(size * 0.75)) {
    const open = new Set(bySize.slice(0, size));
    const compositions = wanted.filter((composition) => open.has(composition));
    const part = { ...cropped, compositions, closedCompositions: wanted.length - size };
    if (size === 0 || fits(part)) return part;
  }
}

function countSteps({ steps }: PictureComposition): number {
  return steps.reduce((sum, { branches }) => sum + 1 + branches.length, 0);
}

function countEdges({ edges, nodes, compositions }: Picture): number {
  const links = nodes.filter((node) => isStateNode(node) && node.composition?.id !== undefined).length;
  return compositions.reduce((sum, composition) => sum + composition.edges.length, edges.length + links);
}

/** A layout within these limits takes seconds. */
export function cropForLayout(picture: Picture): Picture {
  return cropPicture(picture, {
    states: 1_000,
    edges: 2_000,
    fits: (part) => countBends(part) <= 6_000,
  });
}

/** Whether finding the ranks that make edges shortest would take longer than the rest of the layout. */
export function needsFastRanking({ nodes, edges }: Picture): boolean {
  return nodes.filter(isStateNode).length > 300 || edges.length > 800;
}

/** Whether both directions are tried. A larger drawing takes long to lay out, and fits no screen in either. */
export function canTryDirections(picture: Picture): boolean {
  return picture.direction === "auto" && countBends(picture) <= 400;
}

/** The time of a layout grows with the bends. A rank is the longest path to a node without back edges. */
export function countBends(picture: Picture): number {
  const out = new Map<string, string[]>(picture.nodes.map(({ id }) => [id, []]));
  for (const { from, to } of picture.edges) if (from !== to) out.get(from)?.push(to);
  const order = postOrder(out).reverse();
  const position = new Map(order.map((id, index) => [id, index]));
  const rank = new Map<string, number>();
  for (const id of order) {
    const nextRank = (rank.get(id) ?? 0) + 1;
    for (const next of out.get(id) ?? []) {
      const isBackEdge = (position.get(next) ?? 0) <= (position.get(id) ?? 0);
      if (!isBackEdge) rank.set(next, Math.max(rank.get(next) ?? 0, nextRank));
    }
  }
  return picture.edges.reduce((sum, { from, to }) => {
    return sum + 2 * Math.abs((rank.get(from) ?? 0) - (rank.get(to) ?? 0));
  }, 0);
}

/** Depth first, without recursion: each node comes after those it leads to, except over back edges. */
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
