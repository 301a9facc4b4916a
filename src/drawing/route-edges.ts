import { appendTo } from "../text/collections.js";
import type { PlacedNode, Point } from "./geometry.js";
import type { PictureEdge } from "./picture.js";

/** An edge as Dagre laid it out: its two nodes, and a bend in every layer between them. */
export interface EdgePath {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  readonly bends: readonly Point[];
}

/** Half the height of each layer, by the y coordinate of its middle. */
export type LayerExtents = ReadonlyMap<number, number>;

interface EdgeEnd {
  readonly node: PlacedNode;
  /** 1 below the node, -1 above it. */
  readonly side: number;
  /** The x coordinate of the next bend. */
  readonly towards: number;
}

/** How far an edge runs straight beyond the layer of its end, so that the arrowhead is on a straight segment. */
const stubLengths = { leaving: 4, arriving: 8 };
/** The distance of neighbouring ends if there is room; the corners are left to the badge. */
const portGap = 22;
const cornerInset = 20;
/** The part of a segment that keeps its direction at each end; above one half it could overshoot. */
const roundness = 0.45;

/**
 * Edges bend only between layers and cross a layer straight, where the layout left room for them, so that they pass
 * behind no box or label of others.
 */
export function routeEdges(paths: readonly EdgePath[], layers: LayerExtents): readonly (readonly Point[])[] {
  const ends = paths.map(endsOf);
  const ports = assignPorts(ends.flat());
  return paths.map(({ bends }, index) => {
    const [first, last] = ends[index] ?? [];
    if (first === undefined || last === undefined) return [];
    const leaving = stubPoints(first, ports.get(first) ?? first.node.x, layers, stubLengths.leaving);
    const arriving = stubPoints(last, ports.get(last) ?? last.node.x, layers, stubLengths.arriving);
    const passing = bends.flatMap(({ x, y }) => {
      const reach = first.side * (layers.get(y) ?? 0);
      return [-reach, reach].map((offset) => ({ x, y: y + offset }));
    });
    return smoothCurve(dropCollinearPoints([...leaving, ...passing, ...arriving.reverse()]));
  });
}

function endsOf({ from, to, bends }: EdgePath): readonly [EdgeEnd, EdgeEnd] {
  const [first = to, last = from] = [bends[0], bends.at(-1)];
  return [
    { node: from, side: Math.sign(first.y - from.y), towards: first.x },
    { node: to, side: Math.sign(last.y - to.y), towards: last.x },
  ];
}

/** Spreads the ends on each side of a node in the order in which their edges arrive. */
function assignPorts(ends: readonly EdgeEnd[]): ReadonlyMap<EdgeEnd, number> {
  const sides = new Map<string, EdgeEnd[]>();
  for (const end of ends) appendTo(sides, `${end.node.node.id} ${end.side}`, end);
  return new Map([...sides.values()].flatMap(spreadPorts));
}

/** Puts each end as close to the next bend as the others allow. */
function spreadPorts(ends: readonly EdgeEnd[]): readonly (readonly [EdgeEnd, number])[] {
  const sorted = [...ends].sort((a, b) => a.towards - b.towards);
  let next = -Infinity;
  return sorted.map((end, index) => {
    const { x, box } = end.node;
    const width = Math.max(0, box.width - 2 * cornerInset);
    const gap = Math.min(portGap, width / (ends.length - 1 || 1));
    const left = x - width / 2 + index * gap;
    const right = x + width / 2 - (ends.length - 1 - index) * gap;
    const port = Math.min(right, Math.max(left, next, end.towards));
    next = port + gap;
    return [end, port] as const;
  });
}

function stubPoints({ node, side }: EdgeEnd, x: number, layers: LayerExtents, beyond: number): Point[] {
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

interface BentEdge extends EdgePath {
  /** At one of the bends. */
  readonly label: { readonly y: number; readonly width: number };
}

interface LayerBend {
  x: number;
  readonly y: number;
  readonly width: number;
  /** The x coordinates of both ends, if the edge has no other bend. */
  readonly ends: readonly number[] | undefined;
}

const labelGap = 18;

/**
 * Dagre may put the only bend of a short edge anywhere in its layer: this pulls it in between the ends of the edge, as
 * far as its neighbours allow. The order within a layer stays, so that no more edges cross.
 */
export function straightenShortEdges<Edge extends BentEdge>(edges: readonly Edge[]): readonly Edge[] {
  const layerBends = edges.map(({ from, to, bends, label }): readonly LayerBend[] => {
    const ends = bends.length === 1 ? [from.x, to.x] : undefined;
    return bends.map(({ x, y }) => ({ x, y, width: y === label.y ? label.width : 0, ends }));
  });
  const layers = new Map<number, LayerBend[]>();
  for (const bend of layerBends.flat()) appendTo(layers, bend.y, bend);
  for (const layer of layers.values()) {
    layer.sort((a, b) => a.x - b.x);
    pullBends(layer, 1);
    pullBends(layer.reverse(), -1);
  }
  return edges.map((edge, index) => {
    return { ...edge, bends: layerBends[index]?.map(({ x, y }) => ({ x, y })) ?? [] };
  });
}

/** Pulls each bend towards the start of its layer; `direction` is -1 from right to left. */
function pullBends(layer: readonly LayerBend[], direction: 1 | -1): void {
  let free = -Infinity;
  for (const bend of layer) {
    const half = bend.width / 2;
    const wanted = Math.max(...(bend.ends ?? [bend.x]).map((x) => direction * x), free + half);
    bend.x = direction * Math.min(direction * bend.x, wanted);
    free = direction * bend.x + half + labelGap;
  }
}

const bundleGap = 12;
const halfBundleGap = bundleGap / 2;

/** Added to a label for the forced exit that runs beside it. */
export const bundleLabelPadding = 2 * bundleGap;

/**
 * Lays out the events and the forced exit between two nodes as one edge, because Dagre (3.1) loses one of three edges
 * between the same two nodes, and fails.
 */
export function bundleEdges(edges: readonly PictureEdge[]): readonly (readonly PictureEdge[])[] {
  const bundles = new Map<string, PictureEdge[]>();
  for (const edge of edges) {
    const key = edge.from === edge.to ? edge.id : `${edge.from} ${edge.to}`;
    appendTo(bundles, key, edge);
  }
  return [...bundles.values()];
}

/** Moves the events of a bundle to the left, and the forced exit to the right, past their label. */
export function offsetBends(
  { kind }: PictureEdge,
  bends: readonly Point[],
  label: Point & { readonly width: number },
): readonly Point[] {
  return bends.map(({ x, y }) => {
    const isAtLabel = y === label.y;
    if (kind === "forced") return { x: x + (isAtLabel ? label.width / 2 - halfBundleGap : halfBundleGap), y };
    return { x: x - (isAtLabel ? bundleGap : halfBundleGap), y };
  });
}
