import { bendsInBundle, bundled, bundleRoom } from "./bundle.js";
import { eventLines } from "./labels.js";
import { isLarge } from "./layout-cost.js";
import { type LayeredGraph, layeredGraph, placeInLayers } from "./layered-graph.js";
import { measureText } from "./measure-text.js";
import { faceOf } from "./node-face.js";
import { isState, type Picture, type PictureEdge } from "./picture.js";
import type { Layout, PlacedEdge, PlacedNode, Point } from "./placed.js";
import { pullIn } from "./pull-in.js";
import { quickRanks } from "./quick-ranks.js";
import { type Layers, routes, type Way } from "./route.js";

export const labelSize = 12;
export const labelHeight = 15;
const margin = 24;
/** What a loop from a state to itself takes beside its label. */
const loopRoom = 52;

type Label = Partial<Point> & {
  readonly width: number;
  readonly height: number;
  readonly points?: readonly Point[];
};

/** Puts every node and edge in its place, from the top down. */
export function layOut(picture: Picture): Layout {
  const graph = layeredGraph<Label>();
  const ranker = isLarge(picture) ? quickRanks : "network-simplex";
  graph.setGraph({ rankdir: "TB", nodesep: 44, edgesep: 18, ranksep: 52, ranker });
  const faces = new Map(picture.nodes.map((node) => [node.id, faceOf(node)]));
  for (const [id, { width, height }] of faces) graph.setNode(id, { width, height });
  const bundles = bundled(picture.edges);
  for (const bundle of bundles) {
    const [edge] = bundle;
    if (edge !== undefined) graph.setEdge(edge.from, edge.to, labelOf(bundle), edge.id);
  }
  placeInLayers(graph);
  const nodes = picture.nodes.map((node): PlacedNode => {
    const { x = 0, y = 0 } = graph.node(node.id);
    return { node, face: faces.get(node.id) ?? faceOf(node), x, y };
  });
  return framed(nodes, placeEdges(bundles, nodes, graph));
}

function placeEdges(
  bundles: readonly (readonly PictureEdge[])[],
  nodes: readonly PlacedNode[],
  graph: LayeredGraph<Label>,
): readonly PlacedEdge[] {
  const placeOf = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const loops: PlacedEdge[] = [];
  const laid: BundleWay[] = [];
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
  const ways = pullIn(laid).flatMap(waysOf);
  const lines = routes(ways, layersOf(nodes, [...ways, ...loops]));
  const routed = ways.map(({ edge, lines: words, label }, index) => {
    return { edge, lines: words, label, points: lines[index] ?? [] };
  });
  return [...routed, ...loops];
}

/** Where the layers put a bundle. */
interface BundleWay extends Way {
  readonly bundle: readonly PictureEdge[];
  readonly label: Point & { readonly width: number };
}

type LabelledWay = Way & Omit<PlacedEdge, "points">;

function waysOf({ bundle, from, to, bends, label }: BundleWay): readonly LabelledWay[] {
  return bundle.map((edge) => {
    const own = bundle.length > 1 ? bendsInBundle(edge, bends, label) : bends;
    const at = own.find((bend) => bend.y === label.y) ?? label;
    return { from, to, edge, lines: eventLines(edge), bends: own, label: at };
  });
}

/** How far the nodes and labels of each layer reach up and down from its middle. */
function layersOf(
  nodes: readonly PlacedNode[],
  labelled: readonly Pick<PlacedEdge, "lines" | "label">[],
): Layers {
  const layers = new Map<number, number>();
  const take = (y: number, height: number): void => {
    layers.set(y, Math.max(layers.get(y) ?? 0, height / 2));
  };
  for (const { y, face } of nodes) take(y, face.height);
  for (const { lines, label } of labelled) take(label.y, heightOf(lines));
  return layers;
}

/** Leaves and comes back on the right side; a forced exit goes round the events', whose label stands beside both. */
function selfLoop(edge: PictureEdge, { node, x, y, face }: PlacedNode): PlacedEdge {
  const right = x + face.width / 2;
  const reach = edge.kind === "forced" ? 2 : 1;
  const loops = isState(node) && node.guard?.then === node.name ? 2 : 1;
  const lines = eventLines(edge);
  const points = [
    { x: right, y: y - 6 * reach },
    { x: right + 36 * reach, y: y - 16 * reach },
    { x: right + 36 * reach, y: y + 16 * reach },
    { x: right, y: y + 6 * reach },
  ];
  return { edge, points, lines, label: { x: right + (loops * loopRoom + widthOf(lines)) / 2, y } };
}

/** Dagre counts nodes and labels, not how far edges swing out. */
function framed(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): Layout {
  const spots = [
    ...nodes.flatMap(({ x, y, face }) => cornersOf(x, y, face.width, face.height)),
    ...edges.flatMap(({ points }) => points),
    ...edges.flatMap(({ lines, label: { x, y } }) =>
      lines.length === 0 ? [] : cornersOf(x, y, widthOf(lines), heightOf(lines)),
    ),
  ];
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
  const [left, top] = [least(xs) - margin, least(ys) - margin];
  const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    width: Math.ceil(-least(xs.map((x) => -x)) - left + margin),
    height: Math.ceil(-least(ys.map((y) => -y)) - top + margin),
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

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => measureText(line, labelSize) + 10));
}

function heightOf(lines: readonly string[]): number {
  return lines.length * labelHeight;
}

function labelOf(
  bundle: readonly PictureEdge[],
): Label & { readonly labelpos: string; readonly weight: number } {
  const [first] = bundle;
  const lines = bundle.flatMap(eventLines);
  const loop = first !== undefined && first.from === first.to;
  return {
    width: widthOf(lines) + (loop ? loopRoom : 0) + (bundle.length > 1 ? bundleRoom : 0),
    height: heightOf(lines),
    labelpos: "c",
    weight: first?.kind === "start" ? 4 : first?.kind === "event" ? 2 : 1,
  };
}
