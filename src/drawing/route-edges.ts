import { appendTo } from "../text/collections.js";
import type { PlacedNode, Point } from "./geometry.js";
import type { PictureEdge } from "./picture.js";

/** The way of an edge as the layers give it: its two nodes, and a bend in every layer between them. */
export interface EdgePath {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  readonly bends: readonly Point[];
}

/** How far each layer reaches up and down from its middle, by the height of that middle. */
export type LayerExtents = ReadonlyMap<number, number>;

interface EdgeEnd {
  readonly node: PlacedNode;
  /** 1 below the node, -1 above it. */
  readonly side: number;
  /** Where the edge goes from here. */
  readonly towards: number;
}

/** How far an edge goes straight on beyond the layer of its ends: its head lies on a straight piece. */
const stubLengths = { leaving: 4, arriving: 8 };
/** Neighbouring ends are this far apart where there is room, and leave the corners of a node to its badge. */
const portGap = 22;
const cornerInset = 20;
/** How far a piece keeps its direction at both of its ends; beyond a half it could swing out. */
const roundness = 0.45;

/**
 * The lines of edges that pass behind no box and no label of others: they cross a layer straight, where the layout left room for them, and
 * bend between layers only.
 */
export function routeEdges(ways: readonly EdgePath[], layers: LayerExtents): readonly (readonly Point[])[] {
  const ends = ways.map(endsOf);
  const ports = assignPorts(ends.flat());
  return ways.map(({ bends }, index) => {
    const [first, last] = ends[index] ?? [];
    if (first === undefined || last === undefined) return [];
    const leaving = stubPoints(first, ports.get(first) ?? first.node.x, layers, stubLengths.leaving);
    const arriving = stubPoints(last, ports.get(last) ?? last.node.x, layers, stubLengths.arriving);
    const passing = bends.flatMap((bend) => crossLayer(bend, first.side, layers));
    return smoothCurve(dropCollinearPoints([...leaving, ...passing, ...arriving.reverse()]));
  });
}

/** Straight through a layer in which nodes or labels stand. */
function crossLayer({ x, y }: Point, side: number, layers: LayerExtents): readonly Point[] {
  const reach = side * (layers.get(y) ?? 0);
  return [
    { x, y: y - reach },
    { x, y: y + reach },
  ];
}

function endsOf({ from, to, bends }: EdgePath): readonly [EdgeEnd, EdgeEnd] {
  const [first = to, last = from] = [bends[0], bends.at(-1)];
  return [
    { node: from, side: Math.sign(first.y - from.y), towards: first.x },
    { node: to, side: Math.sign(last.y - to.y), towards: last.x },
  ];
}

/** Ends on one side of a node stand side by side, in the order in which their edges come from left to right. */
function assignPorts(ends: readonly EdgeEnd[]): ReadonlyMap<EdgeEnd, number> {
  const sides = new Map<string, EdgeEnd[]>();
  for (const end of ends) appendTo(sides, `${end.node.node.id} ${end.side}`, end);
  return new Map([...sides.values()].flatMap(spreadPorts));
}

/** Each as near to where its edge goes as the others let it. */
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

/** From the side of a node straight out of its layer. */
function stubPoints({ node, side }: EdgeEnd, x: number, layers: LayerExtents, beyond: number): Point[] {
  const half = node.box.height / 2;
  return [half, (layers.get(node.y) ?? half) + beyond].map((reach) => ({ x, y: node.y + side * reach }));
}

/** A smooth line through all spots that swings out beyond none: a monotone cubic, upright where it turns back. */
function smoothCurve(spots: readonly Point[]): readonly Point[] {
  const steep = spots.slice(1).map(({ x, y }, index) => {
    const before = spots[index] ?? { x, y };
    return y === before.y ? 0 : (x - before.x) / (y - before.y);
  });
  const slopes = spots.map((_, index) => {
    const [above = steep[index] ?? 0, below = above] = [steep[index - 1], steep[index]];
    return above * below <= 0 ? 0 : (2 * above * below) / (above + below);
  });
  return spots.flatMap((spot, index) => {
    const before = spots[index - 1];
    if (before === undefined) return spot;
    const reach = (spot.y - before.y) * roundness;
    return [
      { x: before.x + reach * (slopes[index - 1] ?? 0), y: before.y + reach },
      { x: spot.x - reach * (slopes[index] ?? 0), y: spot.y - reach },
      spot,
    ];
  });
}

/** Without spots in the middle of a straight piece, and without the same twice. */
function dropCollinearPoints(spots: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const [index, spot] of spots.entries()) {
    const [before, after] = [kept.at(-1), spots[index + 1]];
    const inside = before?.x === spot.x && (after?.x === spot.x || before.y === spot.y);
    if (!inside) kept.push(spot);
  }
  return kept;
}

/** An edge between its ends, with a bend in every row it passes; its label stands at one of them. */
interface BentEdge {
  readonly from: Point;
  readonly to: Point;
  readonly bends: readonly Point[];
  readonly label: { readonly y: number; readonly width: number };
}

/** A bend among those of its row. */
interface RowBend {
  x: number;
  readonly y: number;
  readonly width: number;
  /** Where an edge without other bends begins and ends. */
  readonly ends: readonly number[] | undefined;
}

/** What two labels keep between them, or a label and a line. */
const labelGap = 18;

/**
 * The layers may put the bend of a short edge anywhere in its row: it is pulled in between the ends of the edge, as far
 * as its neighbours let it. The order in the rows stays, so that no more edges cross.
 */
export function straightenShortEdges<Edge extends BentEdge>(edges: readonly Edge[]): readonly Edge[] {
  const stops = edges.map(rowBendsOf);
  for (const row of groupByRow(stops.flat())) {
    pullRow(row, 1);
    pullRow(row.reverse(), -1);
  }
  return edges.map((edge, index) => ({ ...edge, bends: stops[index]?.map(({ x, y }) => ({ x, y })) ?? [] }));
}

function rowBendsOf({ from, to, bends, label }: BentEdge): readonly RowBend[] {
  const ends = bends.length === 1 ? [from.x, to.x] : undefined;
  return bends.map(({ x, y }) => ({ x, y, width: y === label.y ? label.width : 0, ends }));
}

function groupByRow(stops: readonly RowBend[]): readonly RowBend[][] {
  const rows = new Map<number, RowBend[]>();
  for (const stop of stops) appendTo(rows, stop.y, stop);
  return [...rows.values()].map((row) => row.sort((a, b) => a.x - b.x));
}

/** Along a row, back towards where it begins; `way` is -1 from right to left. */
function pullRow(row: readonly RowBend[], way: 1 | -1): void {
  let free = -Infinity;
  for (const stop of row) {
    const half = stop.width / 2;
    const wanted = Math.max(...(stop.ends ?? [stop.x]).map((x) => way * x), free + half);
    stop.x = way * Math.min(way * stop.x, wanted);
    free = way * stop.x + half + labelGap;
  }
}

/** The distance of two edges that run side by side, and half of it. */
const bundleGap = 12;
const halfBundleGap = bundleGap / 2;

/** What a label has to leave free where a forced exit runs beside its event. */
export const bundleLabelPadding = 2 * bundleGap;

/**
 * Edges that the layers take for one: an event's and a forced exit that lead the same way. Dagre (3.1) loses one of
 * three edges between the same two nodes, and fails.
 */
export function bundleEdges(edges: readonly PictureEdge[]): readonly (readonly PictureEdge[])[] {
  const bundles = new Map<string, PictureEdge[]>();
  for (const edge of edges) {
    const key = edge.from === edge.to ? edge.id : `${edge.from} ${edge.to}`;
    appendTo(bundles, key, edge);
  }
  return [...bundles.values()];
}

/** The bends of one edge of a bundle: an event's to the left of the forced exit, which passes its label. */
export function offsetBends(
  { kind }: PictureEdge,
  bends: readonly Point[],
  label: Point & { readonly width: number },
): readonly Point[] {
  return bends.map(({ x, y }) => {
    const beside = y === label.y ? label.width / 2 - halfBundleGap : halfBundleGap;
    if (kind === "forced") return { x: x + beside, y };
    return { x: x - (y === label.y ? bundleGap : halfBundleGap), y };
  });
}
