import { appendTo } from "../maps/add-to.js";
import type { Point } from "./placed.js";
import type { PictureEdge } from "./picture.js";

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
