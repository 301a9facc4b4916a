import type { NodeBox } from "./node-face.js";
import type { PictureEdge, PictureNode } from "./picture.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node and its place; `x` and `y` are its middle. */
export interface PlacedNode extends Point {
  readonly node: PictureNode;
  readonly box: NodeBox;
}

export interface PlacedEdge {
  readonly edge: PictureEdge;
  /** A start, then two control points and an end for every piece. */
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
