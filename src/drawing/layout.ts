import { offsetBends, bundleEdges, bundleLabelPadding } from "./bundle.js";
import { eventLines } from "./labels.js";
import { needsFastRanking } from "./layout-cost.js";
import { type LayeredGraph, createLayeredGraph, runDagre } from "./layered-graph.js";
import { measureText } from "./measure-text.js";
import { boxOf } from "./node-face.js";
import { isStateNode, type Picture, type PictureEdge } from "./picture.js";
import type { Layout, PlacedEdge, PlacedNode, Point } from "./placed.js";
import { straightenShortEdges } from "./pull-in.js";
import { fastRanker } from "./quick-ranks.js";
import { type LayerExtents, routeEdges, type EdgePath } from "./route.js";

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
