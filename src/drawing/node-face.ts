import { artifactsText, hiddenEdgesText, guardText, shortName } from "./labels.js";
import { measureText } from "./measure-text.js";
import type { PictureNode } from "./picture.js";

export interface BoxRow {
  readonly kind: "name" | "decider" | "guard" | "artifacts" | "note";
  readonly text: string;
}

/** What stands in a node, and the room it needs. */
export interface NodeBox {
  readonly rows: readonly BoxRow[];
  readonly width: number;
  readonly height: number;
}

const nameFontSize = 14;
export const rowFontSize = 11.5;
export const nameHeight = 20;
export const rowHeight = 16;
/** Before the names of artifacts stands a sign. */
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

function boxRows(node: PictureNode): readonly BoxRow[] {
  const name: BoxRow = { kind: "name", text: shortName(node.name) };
  if (node.kind === "start") return [name, { kind: "note", text: "agent" }];
  if (node.kind === "ghost") return [name, { kind: "note", text: "no such state" }];
  const rows: readonly (readonly [BoxRow["kind"], string | undefined])[] = [
    ["decider", node.decider],
    ["guard", guardText(node)],
    ["artifacts", artifactsText(node)],
    ["note", hiddenEdgesText(node)],
  ];
  return [name, ...rows.flatMap(([kind, text]) => (text === undefined ? [] : { kind, text }))];
}

function rowWidth({ kind, text }: BoxRow): number {
  if (kind === "name") return Math.ceil(measureText(text, nameFontSize) * 1.05);
  return measureText(text, rowFontSize) + (kind === "artifacts" ? iconWidth : 0);
}
