import { layout } from "@dagrejs/dagre";
import { Graph } from "@dagrejs/graphlib";
import { appendTo } from "../text/collections.js";
import { canTryDirections, needsFastRanking } from "./crop-picture.js";
import { boxOf, eventLines, labelSize, type NodeBox, type Size } from "./labels.js";
import { isStateNode, type Picture, type PictureEdge, type PictureNode } from "./picture.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node with the position of its centre. */
export interface PlacedNode extends Point {
  readonly node: PictureNode;
  readonly box: NodeBox;
}

export interface PlacedEdge {
  readonly edge: PictureEdge;
  /** A start, then two control points and an end for every segment. */
  readonly points: readonly Point[];
  readonly lines: readonly string[];
  readonly label: Point;
}

export type Layout = Readonly<ReturnType<typeof layOut>>;

const layoutMargin = 24;
/** The width of a loop from a state to itself, without its label. */
const selfLoopWidth = 60;

/** Chooses the direction itself if it is "auto": left to right has to be readably larger in a usual window. */
export function computeLayout(picture: Picture): Layout {
  const scale = ({ width, height }: Layout): number => Math.min(1, 910 / width, 700 / height);
  const usual = layOut(picture, picture.direction === "lr" ? "lr" : "tb");
  if (!canTryDirections(picture) || scale(usual) === 1) return usual;
  const across = layOut(picture, "lr");
  return scale(across) > scale(usual) * 1.1 ? across : usual;
}

/** From left to right is from top to bottom with x and y swapped, before the layout and again after it. */
function layOut(picture: Picture, direction: "tb" | "lr") {
  const swap = direction === "lr" ? transpose : <T>(value: T): T => value;
  const sizeOf: LabelSizer = (lines) => swap(labelSize(lines));
  const graph = new DagreGraph({ directed: true, multigraph: true });
  const ranker = needsFastRanking(picture) ? fastRanker : "network-simplex";
  graph.setGraph({ rankdir: "TB", nodesep: 44, edgesep: 18, ranksep: 52, ranker });
  const boxes = picture.nodes.map((node) => {
    const box = swap(boxOf(node));
    const ends = (side: "from" | "to") => picture.edges.filter((edge) => edge[side] === node.id).length;
    // The left and right sides of a box are short.
    const room = direction === "lr" ? 14 * Math.max(ends("from"), ends("to")) + 2 : 0;
    return { node, box: { ...box, width: Math.max(box.width, room) } };
  });
  for (const { node, box } of boxes) graph.setNode(node.id, { width: box.width, height: box.height });
  const bundles = bundleEdges(picture.edges);
  for (const bundle of bundles) graph.setEdge(keyOf(bundle), bundleLabel(bundle, sizeOf));
  dagreLayout(graph);
  const nodes = boxes.map((each): PlacedNode => ({ ...placeOf(graph.node(each.node.id)), ...each }));
  const edges = placeEdges(bundles, nodes, graph, sizeOf).map((placed) => {
    return { ...placed, points: placed.points.map(swap), label: swap(placed.label) };
  });
  const swapped = nodes.map((placed) => ({ ...swap(placed), box: swap(placed.box) }));
  return { direction, ...fitToOrigin(swapped, edges) };
}

type LabelSizer = (lines: readonly string[]) => Size;

function transpose<T extends Partial<Point & Size>>(value: T): T {
  const { x, y, width, height } = value;
  return { ...value, x: y, y: x, width: height, height: width };
}

function placeOf({ x = 0, y = 0 }: DagreLabel): Point {
  return { x, y };
}

/** A point at which an edge crosses a layer. */
interface Bend {
  x: number;
  readonly y: number;
  /** That of the label, if it is here. */
  readonly width: number;
  /** The x coordinates of both ends, if the edge has no other bend. */
  readonly ends: readonly number[] | undefined;
}

interface EdgePath extends Omit<PlacedEdge, "points"> {
  readonly first: EdgeEnd;
  readonly last: EdgeEnd;
  readonly bends: readonly Point[];
}

function placeEdges(
  bundles: readonly Bundle[],
  nodes: readonly PlacedNode[],
  graph: LayeredGraph,
  sizeOf: LabelSizer,
): readonly PlacedEdge[] {
  const placedById = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const loops: PlacedEdge[] = [];
  const joined = bundles.flatMap((bundle) => {
    const [edge] = bundle;
    const [from, to] = [placedById.get(edge.from), placedById.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    if (from === to) {
      loops.push(selfLoop(edge, from, sizeOf));
      return [];
    }
    const label = graph.edge(keyOf(bundle));
    const inner = label.points?.slice(1, -1) ?? [];
    const ends = inner.length === 1 ? [from.x, to.x] : undefined;
    const bends = inner.map(({ x, y }): Bend => ({ x, y, ends, width: y === label.y ? label.width : 0 }));
    return { bundle, from, to, bends, label: placeOf(label) };
  });
  straightenShortEdges(joined.flatMap(({ bends }) => bends));
  const paths = joined.flatMap(({ bundle, from, to, bends, label }) =>
    bundle.map((edge): EdgePath => {
      const ownBends = bundle.length > 1 ? offsetBends(edge, bends) : bends;
      const ownLabel = ownBends.find((bend) => bend.y === label.y) ?? label;
      const first = endAt(from, ownBends[0] ?? to);
      const last = endAt(to, ownBends.at(-1) ?? from);
      return { edge, lines: eventLines(edge), label: ownLabel, first, last, bends: ownBends };
    }),
  );
  return [...routeEdges(paths, layerExtentsOf(nodes, [...paths, ...loops], sizeOf)), ...loops];
}

/** Half the height of each layer, by the y coordinate of its middle. */
type LayerExtents = ReadonlyMap<number, number>;

function layerExtentsOf(
  nodes: readonly PlacedNode[],
  labelled: readonly Pick<PlacedEdge, "lines" | "label">[],
  sizeOf: LabelSizer,
): LayerExtents {
  const extents = new Map<number, number>();
  const include = (y: number, height: number): void => {
    extents.set(y, Math.max(extents.get(y) ?? 0, height / 2));
  };
  for (const { y, box } of nodes) include(y, box.height);
  for (const { lines, label } of labelled) include(label.y, sizeOf(lines).height);
  return extents;
}

/** A loop on the right side of a node; a forced exit goes around the loop of the events, and the label is beside both. */
function selfLoop(edge: PictureEdge, { node, x, y, box }: PlacedNode, sizeOf: LabelSizer): PlacedEdge {
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
  return { edge, points, lines, label: { x: right + (loops * selfLoopWidth + sizeOf(lines).width) / 2, y } };
}

/** Computes the size itself, because Dagre ignores how far edges swing out. */
function fitToOrigin(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]) {
  const extremes = [
    ...nodes.flatMap((placed) => cornersOf(placed, placed.box)),
    ...edges.flatMap(({ points }) => points),
    ...edges.flatMap(({ lines, label }) => (lines.length === 0 ? [] : cornersOf(label, labelSize(lines)))),
  ];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of extremes) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  [left, top] = [left - layoutMargin, top - layoutMargin];
  const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    width: Math.ceil(right - left + layoutMargin),
    height: Math.ceil(bottom - top + layoutMargin),
    nodes: nodes.map(moved),
    edges: edges.map((placed) => ({
      ...placed,
      points: placed.points.map(moved),
      label: moved(placed.label),
    })),
  };
}

function cornersOf({ x, y }: Point, { width, height }: Size): readonly Point[] {
  return [
    { x: x - width / 2, y: y - height / 2 },
    { x: x + width / 2, y: y + height / 2 },
  ];
}

function bundleLabel(bundle: Bundle, sizeOf: LabelSizer) {
  const [{ from, to, kind }] = bundle;
  const { width, height } = sizeOf(bundle.flatMap(eventLines));
  const more = (from === to ? selfLoopWidth : 0) + (bundle.length > 1 ? bundleLabelPadding : 0);
  const weight = kind === "start" ? 4 : kind === "event" ? 2 : 1;
  return { width: width + more, height, labelpos: "c", weight };
}

/** Dagre adds positions to the labels it is given, and ranks while it works. */
interface DagreLabel extends Partial<Point>, Size {
  readonly points?: readonly Point[];
  readonly minlen?: number;
  /** That of an edge which Dagre adds to keep the graph connected is 0. */
  readonly weight?: number;
  rank?: number;
}

interface DagreEdge {
  readonly v: string;
  readonly w: string;
  readonly name?: string;
}

interface LayeredGraph {
  setGraph(settings: object): void;
  setNode(name: string, label: DagreLabel): void;
  setEdge(edge: DagreEdge, label: DagreLabel): void;
  nodes(): string[];
  node(name: string): DagreLabel;
  inEdges(name: string): readonly DagreEdge[];
  outEdges(name: string): readonly DagreEdge[];
  edge(edge: DagreEdge): DagreLabel;
}

// Node cannot resolve the types that these packages ship, so the parts in use are declared here.
const DagreGraph = Graph as unknown as new (options: { directed: true; multigraph: true }) => LayeredGraph;
const dagreLayout = layout as unknown as (graph: LayeredGraph) => void;

/** Ranks each node right below its lowest predecessor: edges may be too long, but the time is linear. */
function fastRanker(graph: LayeredGraph): void {
  const rankOf = (name: string): number => graph.node(name).rank ?? 0;
  const lengthOf = (edge: DagreEdge): number => graph.edge(edge).minlen ?? 1;
  const order = graph.nodes().filter((name) => graph.inEdges(name).length === 0);
  const pending = new Map(graph.nodes().map((name) => [name, graph.inEdges(name).length]));
  for (const name of order) {
    const rank = (graph.node(name).rank ??= 0);
    for (const edge of graph.outEdges(name)) {
      graph.node(edge.w).rank = Math.max(rankOf(edge.w), rank + lengthOf(edge));
      const count = (pending.get(edge.w) ?? 0) - 1;
      pending.set(edge.w, count);
      if (count === 0) order.push(edge.w);
    }
  }
  for (const name of order) {
    if (graph.inEdges(name).some((edge) => graph.edge(edge).weight !== 0)) continue;
    const ranks = graph.outEdges(name).map((edge) => rankOf(edge.w) - lengthOf(edge));
    if (ranks.length > 0) graph.node(name).rank = Math.min(...ranks);
  }
}

/** How far an edge runs straight beyond the layer of its end, so that the arrowhead is on a straight segment. */
const stubLengths = { leaving: 4, arriving: 8 };
/** The distance of neighbouring ends if there is room. */
const portGap = 22;
/** The corners are left to the badge, as far as a short side allows. */
const cornerInset = (width: number): number => (width > 60 ? 20 : 13);
/** The part of a segment that keeps its direction at each end; above one half it could overshoot. */
const roundness = 0.45;

/** Edges bend only between layers and cross a layer straight, so they pass behind no box or label of others. */
function routeEdges(paths: readonly EdgePath[], layers: LayerExtents): readonly PlacedEdge[] {
  const sides = new Map<string, EdgeEnd[]>();
  for (const end of paths.flatMap(({ first, last }) => [first, last]))
    appendTo(sides, `${end.node.node.id} ${end.side}`, end);
  for (const ends of sides.values()) assignPorts(ends);
  return paths.map(({ first, last, bends, ...edge }) => {
    const passing = bends.flatMap(({ x, y }) => {
      const reach = first.side * (layers.get(y) ?? 0);
      return [-reach, reach].map((offset) => ({ x, y: y + offset }));
    });
    const leaving = stubPoints(first, layers, stubLengths.leaving);
    const arriving = stubPoints(last, layers, stubLengths.arriving).reverse();
    const points = smoothCurve(dropCollinearPoints([...leaving, ...passing, ...arriving]));
    return { ...edge, points };
  });
}

type EdgeEnd = ReturnType<typeof endAt>;

function endAt(node: PlacedNode, next: Point) {
  return {
    node,
    /** 1 below the node, -1 above it. */
    side: Math.sign(next.y - node.y),
    /** The x coordinate of the next bend. */
    towards: next.x,
    /** The x coordinate at which the edge leaves or enters the node. */
    port: node.x,
  };
}

/** In the order in which the edges arrive, each as close to the next bend as the others allow. */
function assignPorts(ends: readonly EdgeEnd[]): void {
  let next = -Infinity;
  for (const [index, end] of ends.toSorted((a, b) => a.towards - b.towards).entries()) {
    const { x, box } = end.node;
    const width = Math.max(0, box.width - 2 * cornerInset(box.width));
    const gap = Math.min(portGap, width / (ends.length - 1 || 1));
    const left = x - width / 2 + index * gap;
    const right = x + width / 2 - (ends.length - 1 - index) * gap;
    end.port = Math.min(right, Math.max(left, next, end.towards));
    next = end.port + gap;
  }
}

function stubPoints({ node, side, port: x }: EdgeEnd, layers: LayerExtents, beyond: number): Point[] {
  const half = node.box.height / 2;
  return [half, (layers.get(node.y) ?? half) + beyond].map((reach) => ({ x, y: node.y + side * reach }));
}

/** A monotone cubic through all points, vertical where it turns back, so that it overshoots none of them. */
function smoothCurve(points: readonly Point[]): readonly Point[] {
  const secants = points.slice(1).map(({ x, y }, index) => {
    const before = points[index] ?? { x, y };
    return y === before.y ? 0 : (x - before.x) / (y - before.y);
  });
  const slopes = points.map((_, index) => {
    const [above = secants[index] ?? 0, below = above] = [secants[index - 1], secants[index]];
    return above * below <= 0 ? 0 : (2 * above * below) / (above + below);
  });
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (before === undefined) return point;
    const reach = (point.y - before.y) * roundness;
    return [
      { x: before.x + reach * (slopes[index - 1] ?? 0), y: before.y + reach },
      { x: point.x - reach * (slopes[index] ?? 0), y: point.y - reach },
      point,
    ];
  });
}

/** Drops duplicates and points inside a vertical segment. */
function dropCollinearPoints(points: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const [index, point] of points.entries()) {
    const [before, after] = [kept.at(-1), points[index + 1]];
    const isRedundant = before?.x === point.x && (after?.x === point.x || before.y === point.y);
    if (!isRedundant) kept.push(point);
  }
  return kept;
}

const labelGap = 18;

/** Dagre may put the only bend of a short edge anywhere in its layer. Keeps the order, so no more edges cross. */
function straightenShortEdges(bends: readonly Bend[]): void {
  const layers = new Map<number, Bend[]>();
  for (const bend of bends) appendTo(layers, bend.y, bend);
  for (const layer of layers.values()) {
    layer.sort((a, b) => a.x - b.x);
    pullBends(layer, 1);
    pullBends(layer.reverse(), -1);
  }
}

/** Pulls each bend towards the start of its layer; `direction` is -1 from right to left. */
function pullBends(layer: readonly Bend[], direction: 1 | -1): void {
  let free = -Infinity;
  for (const bend of layer) {
    const half = bend.width / 2;
    const wanted = Math.max(...(bend.ends ?? [bend.x]).map((x) => direction * x), free + half);
    bend.x = direction * Math.min(direction * bend.x, wanted);
    free = direction * bend.x + half + labelGap;
  }
}

type Bundle = readonly [PictureEdge, ...PictureEdge[]];

const bundleGap = 12;
const halfBundleGap = bundleGap / 2;
/** Added to a label for the forced exit that runs beside it. */
const bundleLabelPadding = 2 * bundleGap;

/** Bundled, because Dagre (3.1) loses one of three edges between the same two nodes, and fails. */
function bundleEdges(edges: readonly PictureEdge[]): readonly Bundle[] {
  const bundles = new Map<string, [PictureEdge, ...PictureEdge[]]>();
  for (const edge of edges) {
    const key = edge.from === edge.to ? edge.id : `${edge.from} ${edge.to}`;
    const bundle = bundles.get(key);
    if (bundle === undefined) bundles.set(key, [edge]);
    else bundle.push(edge);
  }
  return [...bundles.values()];
}

function keyOf([{ from, to, id }]: Bundle): DagreEdge {
  return { v: from, w: to, name: id };
}

/** Moves the events of a bundle to the left, and the forced exit to the right, past their label. */
function offsetBends({ kind }: PictureEdge, bends: readonly Bend[]): readonly Point[] {
  return bends.map(({ x, y, width }) => {
    if (kind !== "forced") return { x: x - (width > 0 ? bundleGap : halfBundleGap), y };
    return { x: x + (width > 0 ? width / 2 - halfBundleGap : halfBundleGap), y };
  });
}
