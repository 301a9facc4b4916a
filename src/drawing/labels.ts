import { escapeInvisible } from "../text/escape.js";
import { cells, clipMiddle, graphemes, headOf, tailOf } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import type { CompositionStep, Picture, PictureEdge, PictureNode, StateNode } from "./picture.js";
import { maskSecrets } from "../text/secrets.js";

const maxNameLength = 36;
/** An empty label would look like a bug in the drawing, and Graphviz rejects it. */
const emptyName = '""';
/** Spaces that renderers drop: at either end, and all but one in a row. */
const collapsingSpace = /^ | $|(?<= ) /gu;

/** A name that fits anywhere: on one line, without invisible characters, and clipped. */
export function shortName(whole: string, longest = maxNameLength): string {
  if (whole === "") return emptyName;
  const name = maskSecrets(whole);
  // Shorten first, because a name may be megabytes long.
  const most = longest * 4;
  const part = name.length <= 2 * most ? name : `${headOf(name, most)}…${tailOf(name, most)}`;
  const visible = escapeInvisible(part).replace(collapsingSpace, "\u00a0");
  return clipMiddle(visible, longest, (text) => graphemes(text).length);
}

export function fullName(name: string): string {
  return name === "" ? emptyName : longText(name);
}

export function longText(whole: string): string {
  const text = maskSecrets(whole);
  return text.length > 2_000 ? `${escapeInvisible(text.slice(0, 2_000))}…` : escapeInvisible(text);
}

/** `max 10 ⇒ review`. */
export function guardText({ guard }: StateNode): string | undefined {
  if (guard === undefined) return undefined;
  return `max ${guard.max} ⇒ ${guard.then === undefined ? "stop" : shortName(guard.then, 24)}`;
}

export interface BoxRow {
  readonly kind: "name" | "decider" | "guard" | "artifacts" | "note";
  readonly text: string;
}

export function boxRows(node: PictureNode): readonly BoxRow[] {
  const name: BoxRow = { kind: "name", text: shortName(node.name) };
  if (node.kind !== "state")
    return [name, { kind: "note", text: node.kind === "start" ? "agent" : "no such state" }];
  const { decider, composition, artifacts, hiddenEdges } = node;
  const rows: readonly (readonly [BoxRow["kind"], string | undefined])[] = [
    ["decider", decider ?? (composition && `composition ${shortName(composition.name, 24)}`)],
    ["guard", guardText(node)],
    ["artifacts", shortNames(artifacts, 4, 20, "").join(", ")],
    ["note", hiddenEdges === 0 ? "" : `${pluralize(hiddenEdges, "more edge")}, not drawn`],
  ];
  return [name, ...rows.flatMap(([kind, text]) => (text ? { kind, text } : []))];
}

/** With an icon, for formats that cannot draw one. */
export function rowText({ kind, text }: BoxRow): string {
  return kind === "artifacts" ? `▤ ${text}` : text;
}

/** The name of a step, and its kind and target: `prompt classify`, `parallel, barrier into all`. */
export function stepRows({ name, kind, about, isResult }: CompositionStep): readonly string[] {
  const shownKind = `${shortName(kind, 24)}${kind === "parallel" && about !== undefined ? "," : ""}`;
  const words = about === undefined ? shownKind : `${shownKind} ${shortName(about, 24)}`;
  // The shape of a branch says what it is.
  const row = kind === "branch" && about !== undefined ? shortName(about, 48) : words;
  return [shortName(name), row, ...(isResult ? ["result"] : [])];
}

export function startLabels({ nodes, edges }: Picture, id: string): readonly string[] {
  const starts = edges.filter(({ kind, to }) => kind === "start" && to === id);
  const sources = new Set(starts.map(({ from }) => from));
  return nodes.flatMap((node) => {
    if (node.kind !== "start" || !sources.has(node.id)) return [];
    return node.agent ? `agent ${fullName(node.name)}` : "entry";
  });
}

export function eventLines({ events }: PictureEdge): readonly string[] {
  return shortNames(events, 6, maxNameLength, "and ");
}

function shortNames(names: readonly string[], most: number, longest: number, conjunction: "" | "and ") {
  const shown = names.slice(0, names.length > most ? most - 1 : most).map((name) => shortName(name, longest));
  const more = names.length - shown.length;
  return more === 0 ? shown : [...shown, `${conjunction}${more} more`];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface NodeBox extends Size {
  readonly rows: readonly BoxRow[];
}

const nameFontSize = 14;
export const labelFontSize = 12;
export const labelLineHeight = 15;
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

export function labelSize(lines: readonly string[]): Size {
  return {
    width: Math.max(0, ...lines.map((line) => measureText(line, labelFontSize) + 10)),
    height: lines.length * labelLineHeight,
  };
}
