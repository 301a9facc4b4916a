import { cells } from "../text/terminal-text.js";
import { type BoxRow, boxRows } from "./labels.js";
import type { PictureEdge, PictureNode } from "./picture.js";

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

export interface Layout {
  readonly direction: "tb" | "lr";
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

interface NodeBox {
  readonly rows: readonly BoxRow[];
  readonly width: number;
  readonly height: number;
}

const nameFontSize = 14;
export const rowFontSize = 11.5;
export const nameHeight = 20;
export const rowHeight = 16;
export const iconWidth = 14;

const boxPadding = { x: 16, y: 9 };
const minBoxWidth = 76;

export function boxOf(node: PictureNode): NodeBox {
  if (node.kind === "start" && !node.agent) return { rows: [], width: 16, height: 16 };
  const rows = boxRows(node);
  const widest = Math.max(...rows.map(rowWidth));
  const inset = node.kind === "state" && node.ends ? 6 : 0;
  return {
    rows,
    width: Math.max(minBoxWidth, widest + 2 * boxPadding.x) + inset,
    height: nameHeight + (rows.length - 1) * rowHeight + 2 * boxPadding.y + inset,
  };
}

function rowWidth({ kind, text }: BoxRow): number {
  if (kind === "name") return Math.ceil(measureText(text, nameFontSize) * 1.05);
  return measureText(text, rowFontSize) + (kind === "artifacts" ? iconWidth : 0);
}

/** Widths in thousandths of the font size, on the wide side because the font is unknown. */
const widthGroups: readonly (readonly [characters: string, width: number])[] = [
  ["ijl.,:;'|!I`", 310],
  ['ftr()[]{}-/\\ "*', 400],
  ["abcdeghknopqsuvxyzJ_0123456789?$#+<>=~^", 600],
  ["ABCDEFGHKLNOPQRSTUVXYZ&", 730],
  ["mwMW@%", 930],
];
const characterWidths = new Map(
  widthGroups.flatMap(([characters, width]) => [...characters].map((one) => [one, width])),
);

/** An estimate that is the same on every machine. */
export function measureText(text: string, fontSize: number): number {
  let width = 0;
  for (const cell of cells(text))
    width += characterWidths.get(cell.text) ?? cell.width * (cell.width === 2 ? 530 : 680);
  return Math.ceil((width * fontSize) / 1000);
}

/** One decimal is finer than any screen. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}
