import { layout } from "@dagrejs/dagre";
import { Graph } from "@dagrejs/graphlib";
import { needsFastRanking } from "./crop-picture.js";
import { boxOf, type Layout, measureText, type PlacedEdge, type PlacedNode, type Point } from "./geometry.js";
import { eventLines } from "./labels.js";
import { isStateNode, type Picture, type PictureEdge } from "./picture.js";
import {
  bundleEdges,
  bundleLabelPadding,
  type EdgePath,
  type LayerExtents,
  offsetBends,
  routeEdges,
  straightenShortEdges,
} from "./route-edges.js";

export const labelFontSize = 12;
export const labelLineHeight = 15;
const layoutMargin = 24;
/** The width of a loop from a state to itself, without its label. */
const selfLoopWidth = 52;

export function computeLayout(picture: Picture): Layout {
  const graph = new DagreGraph({ directed: true, multigraph: true });
  const ranker = needsFastRanking(picture) ? fastRanker : "network-simplex";
  graph.setGraph({ rankdir: "TB", nodesep: 44, edgesep: 18, ranksep: 52, ranker });
  const boxes = new Map(picture.nodes.map((node) => [node.id, boxOf(node)]));
  for (const [id, { width, height }] of boxes) graph.setNode(id, { width, height });
  const bundles = bundleEdges(picture.edges);
  for (const bundle of bundles) {
    const [edge] = bundle;
    if (edge !== undefined) graph.setEdge(edge.from, edge.to, bundleLabel(bundle), edge.id);
  }
  dagreLayout(graph);
  const nodes = picture.nodes.map((node): PlacedNode => {
    const { x = 0, y = 0 } = graph.node(node.id);
    return { node, box: boxes.get(node.id) ?? boxOf(node), x, y };
  });
  return fitToOrigin(nodes, placeEdges(bundles, nodes, graph));
}

function placeEdges(
  bundles: readonly (readonly PictureEdge[])[],
  nodes: readonly PlacedNode[],
  graph: LayeredGraph,
): readonly PlacedEdge[] {
  const placedById = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const loops: PlacedEdge[] = [];
  const bundlePaths: BundlePath[] = [];
  for (const bundle of bundles) {
    const [edge] = bundle;
    const [from, to] = [placedById.get(edge?.from ?? ""), placedById.get(edge?.to ?? "")];
    if (edge === undefined || from === undefined || to === undefined) continue;
    if (from === to) {
      loops.push(selfLoop(edge, from));
      continue;
    }
    const { x = 0, y = 0, width, points = [] } = graph.edge(edge.from, edge.to, edge.id);
    bundlePaths.push({ bundle, from, to, bends: points.slice(1, -1), label: { x, y, width } });
  }
  const paths = straightenShortEdges(bundlePaths).flatMap(splitBundle);
  const routes = routeEdges(paths, layerExtentsOf(nodes, [...paths, ...loops]));
  const routed = paths.map(({ edge, lines, label }, index) => {
    return { edge, lines, label, points: routes[index] ?? [] };
  });
  return [...routed, ...loops];
}

interface BundlePath extends EdgePath {
  readonly bundle: readonly PictureEdge[];
  readonly label: Point & { readonly width: number };
}

type UnroutedEdge = EdgePath & Omit<PlacedEdge, "points">;

function splitBundle({ bundle, from, to, bends, label }: BundlePath): readonly UnroutedEdge[] {
  return bundle.map((edge) => {
    const ownBends = bundle.length > 1 ? offsetBends(edge, bends, label) : bends;
    const ownLabel = ownBends.find((bend) => bend.y === label.y) ?? label;
    return { from, to, edge, lines: eventLines(edge), bends: ownBends, label: ownLabel };
  });
}

function layerExtentsOf(
  nodes: readonly PlacedNode[],
  labelled: readonly Pick<PlacedEdge, "lines" | "label">[],
): LayerExtents {
  const extents = new Map<number, number>();
  const include = (y: number, height: number): void => {
    extents.set(y, Math.max(extents.get(y) ?? 0, height / 2));
  };
  for (const { y, box } of nodes) include(y, box.height);
  for (const { lines, label } of labelled) include(label.y, labelHeightOf(lines));
  return extents;
}

/** A loop on the right side of a node; a forced exit goes around the loop of the events, and the label is beside both. */
function selfLoop(edge: PictureEdge, { node, x, y, box }: PlacedNode): PlacedEdge {
  const right = x + box.width / 2;
  const reach = edge.kind === "forced" ? 2 : 1;
  const loops = isStateNode(node) && node.guard?.then === node.name ? 2 : 1;
  const lines = eventLines(edge);
  const points = [
    { x: right, y: y - 6 * reach },
    { x: right + 36 * reach, y: y - 16 * reach },
    { x: right + 36 * reach, y: y + 16 * reach },
    { x: right, y: y + 6 * reach },
  ];
  return { edge, points, lines, label: { x: right + (loops * selfLoopWidth + labelWidthOf(lines)) / 2, y } };
}

/** Computes the size itself, because Dagre ignores how far edges swing out. */
function fitToOrigin(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): Layout {
  const extremes = [
    ...nodes.flatMap(({ x, y, box }) => cornersOf(x, y, box.width, box.height)),
    ...edges.flatMap(({ points }) => points),
    ...edges.flatMap(({ lines, label: { x, y } }) =>
      lines.length === 0 ? [] : cornersOf(x, y, labelWidthOf(lines), labelHeightOf(lines)),
    ),
  ];
  const [xs, ys] = [extremes.map(({ x }) => x), extremes.map(({ y }) => y)];
  const [left, top] = [smallestOf(xs) - layoutMargin, smallestOf(ys) - layoutMargin];
  const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    width: Math.ceil(-smallestOf(xs.map((x) => -x)) - left + layoutMargin),
    height: Math.ceil(-smallestOf(ys.map((y) => -y)) - top + layoutMargin),
    nodes: nodes.map(moved),
    edges: edges.map((placed) => ({
      ...placed,
      points: placed.points.map(moved),
      label: moved(placed.label),
    })),
  };
}

function cornersOf(x: number, y: number, width: number, height: number): readonly Point[] {
  return [
    { x: x - width / 2, y: y - height / 2 },
    { x: x + width / 2, y: y + height / 2 },
  ];
}

/** `Math.min(...values)` could overflow the stack. */
function smallestOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function labelWidthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => measureText(line, labelFontSize) + 10));
}

function labelHeightOf(lines: readonly string[]): number {
  return lines.length * labelLineHeight;
}

function bundleLabel(
  bundle: readonly PictureEdge[],
): DagreLabel & { readonly labelpos: string; readonly weight: number } {
  const [first] = bundle;
  const lines = bundle.flatMap(eventLines);
  const loop = first !== undefined && first.from === first.to;
  return {
    width: labelWidthOf(lines) + (loop ? selfLoopWidth : 0) + (bundle.length > 1 ? bundleLabelPadding : 0),
    height: labelHeightOf(lines),
    labelpos: "c",
    weight: first?.kind === "start" ? 4 : first?.kind === "event" ? 2 : 1,
  };
}

type DagreLabel = Partial<Point> & {
  readonly width: number;
  readonly height: number;
  readonly points?: readonly Point[];
};

interface LayeredGraph {
  setGraph(settings: Readonly<Record<string, string | number | Ranker>>): void;
  setNode(name: string, label: DagreLabel): void;
  node(name: string): DagreLabel;
  setEdge(from: string, to: string, label: DagreLabel, name: string): void;
  edge(from: string, to: string, name: string): DagreLabel;
}

type Ranker = (graph: RankedGraph) => void;

interface RankedGraph {
  nodes(): string[];
  node(name: string): { rank?: number };
  inEdges(name: string): readonly RankedEdge[];
  outEdges(name: string): readonly RankedEdge[];
  /** Edges that Dagre adds itself, to keep the graph connected, have weight 0. */
  edge(edge: RankedEdge): { readonly minlen: number; readonly weight: number };
}

interface RankedEdge {
  readonly v: string;
  readonly w: string;
}

// Node cannot resolve the types that these packages ship, so the parts in use are declared here.
const DagreGraph = Graph as unknown as new (options: { directed: true; multigraph: true }) => LayeredGraph;
const dagreLayout = layout as unknown as (graph: LayeredGraph) => void;

/**
 * Ranks each node right below its lowest predecessor, and a node without predecessors right above its successors. Edges
 * may be longer than necessary, but the time is linear in their number.
 */
const fastRanker: Ranker = (graph) => {
  const order = graph.nodes().filter((name) => graph.inEdges(name).length === 0);
  const pending = new Map(graph.nodes().map((name) => [name, graph.inEdges(name).length]));
  for (const name of order) {
    const rank = (graph.node(name).rank ??= 0);
    for (const edge of graph.outEdges(name)) {
      const next = graph.node(edge.w);
      next.rank = Math.max(next.rank ?? 0, rank + graph.edge(edge).minlen);
      const count = (pending.get(edge.w) ?? 0) - 1;
      pending.set(edge.w, count);
      if (count === 0) order.push(edge.w);
    }
  }
  for (const name of order) {
    if (graph.inEdges(name).some((edge) => graph.edge(edge).weight > 0)) continue;
    const ranks = graph
      .outEdges(name)
      .map((edge) => (graph.node(edge.w).rank ?? 0) - graph.edge(edge).minlen);
    if (ranks.length > 0) graph.node(name).rank = Math.min(...ranks);
  }
};
