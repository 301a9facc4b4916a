import { layout } from "@dagrejs/dagre";
import { Graph } from "@dagrejs/graphlib";
import { eventLines } from "./labels.js";
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

type Label = Partial<Point> & { readonly width: number; readonly height: number; readonly points?: readonly Point[] };

/** Puts every node and edge in its place, from the top down. */
export function layOut(picture: Picture): Layout {
  const graph = new Graph<object, Label, Label>({ directed: true, multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 44, edgesep: 18, ranksep: 34, marginx: 24, marginy: 24 });
  const faces = new Map<string, Face>();
  for (const node of picture.nodes) {
    const face = faceOf(node);
    faces.set(node.id, face);
    graph.setNode(node.id, { width: face.width, height: face.height });
  }
  for (const edge of picture.edges) graph.setEdge(edge.from, edge.to, labelOf(edge), edge.id);
  layout(graph);
  const size = graph.graph() as { readonly width?: number; readonly height?: number };
  return {
    width: Math.ceil(size.width ?? 0),
    height: Math.ceil(size.height ?? 0),
    nodes: picture.nodes.map((node) => {
      const { x = 0, y = 0 } = graph.node(node.id);
      return { node, face: faces.get(node.id) ?? faceOf(node), x, y };
    }),
    edges: picture.edges.map((edge) => {
      const { x = 0, y = 0, points = [] } = graph.edge(edge.from, edge.to, edge.id);
      return { edge, points, lines: eventLines(edge), label: { x, y } };
    }),
  };
}

function labelOf(edge: PictureEdge): Label & { readonly labelpos: string; readonly weight: number } {
  const lines = eventLines(edge);
  return {
    width: Math.max(0, ...lines.map((line) => measureText(line, labelSize) + 10)),
    height: lines.length * labelHeight,
    labelpos: "c",
    weight: edge.kind === "start" ? 4 : edge.kind === "event" ? 2 : 1,
  };
}
