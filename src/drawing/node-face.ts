import { artifactsText, cutText, guardText, shortName } from "./labels.js";
import { measureText } from "./measure-text.js";
import type { PictureNode } from "./picture.js";

export interface FaceRow {
  readonly kind: "name" | "decider" | "guard" | "artifacts" | "note";
  readonly text: string;
}

/** What stands in a node, and the room it needs. */
export interface Face {
  readonly rows: readonly FaceRow[];
  readonly width: number;
  readonly height: number;
}

const nameSize = 14;
export const rowSize = 11.5;
export const nameHeight = 20;
export const rowHeight = 16;
/** Before the names of artifacts stands a sign. */
export const signWidth = 14;

const padding = { x: 16, y: 9 };
const smallest = 76;

export function faceOf(node: PictureNode): Face {
  if (node.kind === "start" && !node.agent) return { rows: [], width: 16, height: 16 };
  const rows = rowsOf(node);
  const widest = Math.max(...rows.map(widthOf));
  const inset = node.kind === "state" && node.ends ? 6 : 0;
  return {
    rows,
    width: Math.max(smallest, widest + 2 * padding.x) + inset,
    height: nameHeight + (rows.length - 1) * rowHeight + 2 * padding.y + inset,
  };
}

function rowsOf(node: PictureNode): readonly FaceRow[] {
  const name: FaceRow = { kind: "name", text: shortName(node.name) };
  if (node.kind === "start") return [name, { kind: "note", text: "agent" }];
  if (node.kind === "ghost") return [name, { kind: "note", text: "no such state" }];
  const rows: readonly (readonly [FaceRow["kind"], string | undefined])[] = [
    ["decider", node.decider],
    ["guard", guardText(node)],
    ["artifacts", artifactsText(node)],
    ["note", cutText(node)],
  ];
  return [name, ...rows.flatMap(([kind, text]) => (text === undefined ? [] : { kind, text }))];
}

function widthOf({ kind, text }: FaceRow): number {
  if (kind === "name") return Math.ceil(measureText(text, nameSize) * 1.05);
  return measureText(text, rowSize) + (kind === "artifacts" ? signWidth : 0);
}
