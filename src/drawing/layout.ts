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
/** What a loop from a state to itself takes beside its label. */
const selfLoopWidth = 52;

type DagreLabel = Partial<Point> & {
  readonly width: number;
  readonly height: number;
  readonly points?: readonly Point[];
};

/** Puts every node and edge in its place, from the top down. */
export function computeLayout(picture: Picture): Layout {
  const graph = createLayeredGraph<DagreLabel>();
  const ranker = needsFastRanking(picture) ? fastRanker : "network-simplex";
  graph.setGraph({ rankdir: "TB", nodesep: 44, edgesep: 18, ranksep: 52, ranker });
  const faces = new Map(picture.nodes.map((node) => [node.id, boxOf(node)]));
  for (const [id, { width, height }] of faces) graph.setNode(id, { width, height });
  const bundles = bundleEdges(picture.edges);
  for (const bundle of bundles) {
    const [edge] = bundle;
    if (edge !== undefined) graph.setEdge(edge.from, edge.to, bundleLabel(bundle), edge.id);
  }
  runDagre(graph);
  const nodes = picture.nodes.map((node): PlacedNode => {
    const { x = 0, y = 0 } = graph.node(node.id);
    return { node, box: faces.get(node.id) ?? boxOf(node), x, y };
  });
  return fitToOrigin(nodes, placeEdges(bundles, nodes, graph));
}

function placeEdges(
  bundles: readonly (readonly PictureEdge[])[],
  nodes: readonly PlacedNode[],
  graph: LayeredGraph<DagreLabel>,
): readonly PlacedEdge[] {
  const placeOf = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const loops: PlacedEdge[] = [];
  const laid: BundlePath[] = [];
  for (const bundle of bundles) {
    const [edge] = bundle;
    const [from, to] = [placeOf.get(edge?.from ?? ""), placeOf.get(edge?.to ?? "")];
    if (edge === undefined || from === undefined || to === undefined) continue;
    if (from === to) {
      loops.push(selfLoop(edge, from));
      continue;
    }
    const { x = 0, y = 0, width, points = [] } = graph.edge(edge.from, edge.to, edge.id);
    laid.push({ bundle, from, to, bends: points.slice(1, -1), label: { x, y, width } });
  }
  const ways = straightenShortEdges(laid).flatMap(splitBundle);
  const lines = routeEdges(ways, layerExtentsOf(nodes, [...ways, ...loops]));
  const routed = ways.map(({ edge, lines: words, label }, index) => {
    return { edge, lines: words, label, points: lines[index] ?? [] };
  });
  return [...routed, ...loops];
}

/** Where the layers put a bundle. */
interface BundlePath extends EdgePath {
  readonly bundle: readonly PictureEdge[];
  readonly label: Point & { readonly width: number };
}

type LabeledPath = EdgePath & Omit<PlacedEdge, "points">;

function splitBundle({ bundle, from, to, bends, label }: BundlePath): readonly LabeledPath[] {
  return bundle.map((edge) => {
    const own = bundle.length > 1 ? offsetBends(edge, bends, label) : bends;
    const at = own.find((bend) => bend.y === label.y) ?? label;
    return { from, to, edge, lines: eventLines(edge), bends: own, label: at };
  });
}

/** How far the nodes and labels of each layer reach up and down from its middle. */
function layerExtentsOf(
  nodes: readonly PlacedNode[],
  labelled: readonly Pick<PlacedEdge, "lines" | "label">[],
): LayerExtents {
  const layers = new Map<number, number>();
  const take = (y: number, height: number): void => {
    layers.set(y, Math.max(layers.get(y) ?? 0, height / 2));
  };
  for (const { y, box } of nodes) take(y, box.height);
  for (const { lines, label } of labelled) take(label.y, labelHeightOf(lines));
  return layers;
}

/** Leaves and comes back on the right side; a forced exit goes round the events', whose label stands beside both. */
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

/** Dagre counts nodes and labels, not how far edges swing out. */
function fitToOrigin(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): Layout {
  const spots = [
    ...nodes.flatMap(({ x, y, box }) => cornersOf(x, y, box.width, box.height)),
    ...edges.flatMap(({ points }) => points),
    ...edges.flatMap(({ lines, label: { x, y } }) =>
      lines.length === 0 ? [] : cornersOf(x, y, labelWidthOf(lines), labelHeightOf(lines)),
    ),
  ];
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
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

/** The upper left and the lower right corner of a box around its middle. */
function cornersOf(x: number, y: number, width: number, height: number): readonly Point[] {
  return [
    { x: x - width / 2, y: y - height / 2 },
    { x: x + width / 2, y: y + height / 2 },
  ];
}

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

/** A graph with parallel edges, told apart by a name. */
interface LayeredGraph<Label> {
  setGraph(settings: Readonly<Record<string, string | number | Ranker>>): void;
  setNode(name: string, label: Label): void;
  node(name: string): Label;
  setEdge(from: string, to: string, label: Label, name: string): void;
  edge(from: string, to: string, name: string): Label;
}

/** Gives every node its rank, in a graph without cycles. */
type Ranker = (graph: RankedGraph) => void;

interface RankedGraph {
  nodes(): string[];
  node(name: string): { rank?: number };
  inEdges(name: string): readonly RankedEdge[];
  outEdges(name: string): readonly RankedEdge[];
  /** Of what is there only to hold the graph together, the weight is 0. */
  edge(edge: RankedEdge): { readonly minlen: number; readonly weight: number };
}

interface RankedEdge {
  readonly v: string;
  readonly w: string;
}

type GraphConstructor = new <Label>(options: { directed: true; multigraph: true }) => LayeredGraph<Label>;

// The declarations these packages ship cannot be resolved by Node's rules: here is what we ask of them.
const DagreGraph = Graph as unknown as GraphConstructor;
const dagreLayout = layout as unknown as <Label>(graph: LayeredGraph<Label>) => void;

function createLayeredGraph<Label>(): LayeredGraph<Label> {
  return new DagreGraph<Label>({ directed: true, multigraph: true });
}

/** Writes the places into the labels. */
function runDagre<Label>(graph: LayeredGraph<Label>): void {
  dagreLayout(graph);
}

/**
 * Puts each node right below the lowest that leads to it, and what nothing leads to right above what it leads to. Edges
 * may be longer than they have to be, but the time grows only with their number.
 */
const fastRanker: Ranker = (graph) => {
  const order = graph.nodes().filter((name) => graph.inEdges(name).length === 0);
  const waiting = new Map(graph.nodes().map((name) => [name, graph.inEdges(name).length]));
  for (const name of order) {
    const rank = (graph.node(name).rank ??= 0);
    for (const edge of graph.outEdges(name)) {
      const next = graph.node(edge.w);
      next.rank = Math.max(next.rank ?? 0, rank + graph.edge(edge).minlen);
      const left = (waiting.get(edge.w) ?? 0) - 1;
      waiting.set(edge.w, left);
      if (left === 0) order.push(edge.w);
    }
  }
  for (const name of order) {
    const below = graph
      .outEdges(name)
      .map((edge) => (graph.node(edge.w).rank ?? 0) - graph.edge(edge).minlen);
    const isLedTo = graph.inEdges(name).some((edge) => graph.edge(edge).weight > 0);
    if (!isLedTo && below.length > 0) graph.node(name).rank = Math.min(...below);
  }
};
