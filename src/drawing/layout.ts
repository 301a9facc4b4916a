import { eventLines } from "./labels.js";
import { layeredGraph, placeInLayers } from "./layered-graph.js";
import { measureText } from "./measure-text.js";
import { type Face, faceOf } from "./node-face.js";
import type { Picture, PictureEdge, PictureNode } from "./picture.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node and its place; `x` and `y` are its middle. */
export interface PlacedNode extends Point {
  readonly node: PictureNode;
  readonly face: Face;
}

export interface PlacedEdge {
  readonly edge: PictureEdge;
  readonly points: readonly Point[];
  readonly lines: readonly string[];
  /** The middle of its label. */
  readonly label: Point;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

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
  graph.setGraph({ rankdir: "TB", nodesep: 44, edgesep: 18, ranksep: 34 });
  const faces = new Map<string, Face>();
  for (const node of picture.nodes) {
    const face = faceOf(node);
    faces.set(node.id, face);
    graph.setNode(node.id, { width: face.width, height: face.height });
  }
  for (const edge of picture.edges) graph.setEdge(edge.from, edge.to, labelOf(edge), edge.id);
  placeInLayers(graph);
  const nodes = picture.nodes.map((node): PlacedNode => {
    const { x = 0, y = 0 } = graph.node(node.id);
    return { node, face: faces.get(node.id) ?? faceOf(node), x, y };
  });
  const placeOf = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const edges = picture.edges.map((edge): PlacedEdge => {
    const at = placeOf.get(edge.from);
    if (edge.from === edge.to && at !== undefined) return selfLoop(edge, at);
    const { x = 0, y = 0, points = [] } = graph.edge(edge.from, edge.to, edge.id);
    return { edge, points, lines: eventLines(edge), label: { x, y } };
  });
  return framed(nodes, edges);
}

/** Leaves and comes back on the right side, its label beside it; a forced exit goes round the event's. */
function selfLoop(edge: PictureEdge, { x, y, face }: PlacedNode): PlacedEdge {
  const right = x + face.width / 2;
  const reach = edge.kind === "forced" ? 2 : 1;
  const lines = eventLines(edge);
  const points = [
    { x: right, y: y - 6 * reach },
    { x: right + 16 * reach, y: y - 11 * reach },
    { x: right + 28 * reach, y: y - 9 * reach },
    { x: right + 28 * reach, y: y + 9 * reach },
    { x: right + 16 * reach, y: y + 11 * reach },
    { x: right, y: y + 6 * reach },
  ];
  return { edge, points, lines, label: { x: right + loopRoom / 2 + widthOf(lines) / 2, y } };
}

/** Dagre counts nodes and labels, not how far edges swing out. */
function framed(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): Layout {
  const xs = [
    ...nodes.flatMap(({ x, face }) => [x - face.width / 2, x + face.width / 2]),
    ...edges.flatMap(({ points, lines, label }) => [
      ...points.map((point) => point.x),
      ...(lines.length === 0 ? [] : [label.x - widthOf(lines) / 2, label.x + widthOf(lines) / 2]),
    ]),
  ];
  const ys = [
    ...nodes.flatMap(({ y, face }) => [y - face.height / 2, y + face.height / 2]),
    ...edges.flatMap(({ points }) => points.map((point) => point.y)),
  ];
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

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => measureText(line, labelSize) + 10));
}

function labelOf(edge: PictureEdge): Label & { readonly labelpos: string; readonly weight: number } {
  const lines = eventLines(edge);
  return {
    width: widthOf(lines) + (edge.from === edge.to ? loopRoom : 0),
    height: lines.length * labelHeight,
    labelpos: "c",
    weight: edge.kind === "start" ? 4 : edge.kind === "event" ? 2 : 1,
  };
}
