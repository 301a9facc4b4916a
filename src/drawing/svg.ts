import { severities } from "../diagnostic.js";
import { escapeXml } from "../text/escape.js";
import { pluralize } from "../text/wording.js";
import {
  iconWidth,
  type Layout,
  measureText,
  nameHeight,
  type PlacedEdge,
  type PlacedNode,
  type Point,
  rowFontSize,
  rowHeight,
} from "./geometry.js";
import { fullName, startLabels } from "./labels.js";
import { computeLayout, labelLineHeight } from "./layout.js";
import {
  cropNote,
  isStateNode,
  markDescriptions,
  type Picture,
  type StartNode,
  type StateNode,
  usedMarks,
} from "./picture.js";
import { standaloneStyle } from "./svg-style.js";

/** A picture that stands alone: its own colours, light and dark, and a legend where something is painted. */
export function svg(picture: Picture): string {
  const laid = computeLayout(picture);
  const words = renderLegend(picture, laid.width);
  const width = Math.max(laid.width, words.width);
  const height = laid.height + words.height;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-labelledby="pp-title pp-desc" ` +
      `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="pp-title">${escapeXml(fullName(picture.title))}</title>`,
    `<desc id="pp-desc">${escapeXml(describePicture(picture))}</desc>`,
    `<style>${standaloneStyle}</style>`,
    arrowheads(picture),
    `<rect class="ground" width="${width}" height="${height}" rx="10"/>`,
    `<g transform="translate(${formatNumber((width - laid.width) / 2)} 0)">`,
    ...scene(picture, laid, false),
    "</g>",
    ...(words.text === "" ? [] : [`<g transform="translate(0 ${laid.height})">`, words.text, "</g>"]),
    "</svg>",
  ];
  return parts.join("\n") + "\n";
}

/** The same drawing for a page, which brings the colours and can be walked by keyboard. */
export function embeddedSvg(picture: Picture): string {
  const laid = computeLayout(picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="group" aria-label="Workflow" ` +
      `data-width="${laid.width}" data-height="${laid.height}">`,
    arrowheads(picture, "now"),
    '<g class="scene">',
    ...scene(picture, laid, true),
    "</g>",
    "</svg>",
  ].join("\n");
}

/** Of a part, only the states of the whole are known. */
function describePicture(picture: Picture): string {
  const { nodes, edges, states } = picture;
  const workflow = `A workflow of ${pluralize(states, "state")}`;
  const note = cropNote(picture);
  if (note !== undefined) return `${workflow}. ${note}`;
  const ends = nodes.filter((node) => isStateNode(node) && node.ends).length;
  const moves = edges.filter(({ kind }) => kind !== "start").length;
  return `${workflow}, ${pluralize(ends, "end")} and ${pluralize(moves, "edge")}.`;
}

function arrowheads(picture: Picture, ...more: readonly string[]): string {
  const heads = ["", ...[...usedMarks(picture), ...more].map((name) => `-${name}`)];
  const shapes = heads.map(
    (name) =>
      `<marker id="pp-head${name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" ` +
      `markerUnits="userSpaceOnUse" orient="auto"><path class="head${name}" d="M0 0.5L10 5L0 9.5Z"/></marker>`,
  );
  return `<defs>${shapes.join("")}</defs>`;
}

/** Edges below, nodes above them, labels where edges cannot cross them out. */
function scene(picture: Picture, laid: Layout, walkable: boolean): readonly string[] {
  return [
    ...laid.edges.map(edgePath),
    ...laid.nodes.map((placed) => nodeShape(picture, placed, walkable)),
    ...laid.edges.flatMap(edgeLabel),
  ];
}

function edgePath({ edge, points }: PlacedEdge): string {
  const mark = edge.mark === undefined ? "" : ` ${edge.mark}`;
  const head = edge.mark === undefined ? "pp-head" : `pp-head-${edge.mark}`;
  return `<g class="edge ${edge.kind}${mark}" data-id="${edge.id}"><path d="${pathData(points)}" marker-end="url(#${head})"/></g>`;
}

function edgeLabel({ edge, lines, label }: PlacedEdge): readonly string[] {
  if (lines.length === 0) return [];
  const mark = edge.mark === undefined ? "" : ` ${edge.mark}`;
  const top = label.y - (lines.length * labelLineHeight) / 2 + 11.5;
  const texts = lines.map(
    (line, index) =>
      `<text x="${formatNumber(label.x)}" y="${formatNumber(top + index * labelLineHeight)}">${escapeXml(line)}</text>`,
  );
  return [`<g class="edge label${mark}" data-label="${edge.id}">${texts.join("")}</g>`];
}

function nodeShape(picture: Picture, placed: PlacedNode, walkable: boolean): string {
  const { node, x, y } = placed;
  const kind = node.kind === "start" ? (node.agent ? "start agent" : "start") : node.kind;
  const mark = node.mark === undefined ? "" : ` ${node.mark}`;
  const walk =
    walkable && isStateNode(node)
      ? ` tabindex="0" role="button" aria-label="${escapeXml(accessibleName(picture, node))}"`
      : "";
  return (
    `<g class="node ${kind}${mark}" data-id="${node.id}" transform="translate(${formatNumber(x)} ${formatNumber(y)})"${walk}>` +
    `<title>${escapeXml(node.kind === "start" ? startTitle(node) : fullName(node.name))}</title>` +
    `${nodeBody(placed)}${badge(picture, placed)}</g>`
  );
}

function startTitle({ name, agent }: StartNode): string {
  return agent ? `agent ${fullName(name)} starts here` : "the entry";
}

/** All that can be seen of a state: its label replaces what stands in it. */
function accessibleName(picture: Picture, node: StateNode): string {
  const { name, ends, decider, guard, mark, findings } = node;
  const then = guard?.then === undefined ? "the run stops" : fullName(guard.then);
  const parts = [
    ...startLabels(picture, node.id),
    ...(ends ? ["ends the run"] : []),
    ...(decider === undefined ? [] : [decider]),
    ...(guard === undefined ? [] : [`at most ${pluralize(guard.max, "visit")}, then ${then}`]),
    ...(mark === undefined ? [] : [markDescriptions[mark]]),
    ...(findings.length === 0 ? [] : [pluralize(findings.length, "finding")]),
  ];
  return [`State ${fullName(name)}`, ...parts].join(", ");
}

function nodeBody({ node, box: face }: PlacedNode): string {
  if (face.rows.length === 0) return '<circle class="entry" r="7"/>';
  const { width, height } = face;
  const box = (kind: string, inset: number, radius: number): string =>
    `<rect class="${kind}" x="${formatNumber(inset - width / 2)}" y="${formatNumber(inset - height / 2)}" ` +
    `width="${formatNumber(width - 2 * inset)}" height="${formatNumber(height - 2 * inset)}" rx="${radius}"/>`;
  const ends = isStateNode(node) && node.ends;
  const frame = box("box", 0, node.kind === "start" ? height / 2 : 9) + (ends ? box("inner", 3.5, 6) : "");
  let baseline = -(nameHeight + (face.rows.length - 1) * rowHeight) / 2;
  const rows = face.rows.map(({ kind, text }) => {
    baseline += kind === "name" ? nameHeight : rowHeight;
    const y = formatNumber(baseline - 5);
    if (kind === "name") return `<text class="name" y="${y}">${escapeXml(text)}</text>`;
    if (kind !== "artifacts") return `<text class="row ${kind}" y="${y}">${escapeXml(text)}</text>`;
    const left = -(measureText(text, rowFontSize) + iconWidth) / 2;
    const sign = `<path class="sign" d="M${formatNumber(left + 1)} ${formatNumber(baseline - 14)}h5l3 3v7h-8z"/>`;
    return `${sign}<text class="row ${kind}" x="${iconWidth / 2}" y="${y}">${escapeXml(text)}</text>`;
  });
  return frame + rows.join("");
}

/** How many errors and warnings stand at a state, in the colour of the worst. */
function badge({ findings }: Picture, { node, box }: PlacedNode): string {
  if (!isStateNode(node)) return "";
  const grave = node.findings
    .flatMap((index) => findings[index] ?? [])
    .filter(({ severity, nodes: [place] }) => severity !== "info" && place === node.id);
  const worst = severities.find((severity) => grave.some((finding) => finding.severity === severity));
  if (worst === undefined) return "";
  const place = `translate(${formatNumber(box.width / 2 - 2)} ${formatNumber(2 - box.height / 2)})`;
  const label = grave.length > 9 ? "9+" : String(grave.length);
  return `<g class="badge ${worst}" transform="${place}"><circle r="9"/><text y="3.5">${label}</text></g>`;
}

export interface Legend {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const legendMargin = 24;
const legendLineHeight = 22;
const legendFontSize = 12;

/** What the colours mean, and what is not drawn; nothing for a plain picture. */
export function renderLegend(picture: Picture, room: number): Legend {
  const parts: string[] = [];
  let [x, y, widest] = [legendMargin, 0, 0];
  for (const mark of usedMarks(picture)) {
    const words = markDescriptions[mark];
    const width = 26 + measureText(words, legendFontSize) + 18;
    if (x > legendMargin && x + width > Math.max(room, 420) - legendMargin + 18)
      [x, y] = [legendMargin, y + legendLineHeight];
    const dashed = mark === "missing" ? ' stroke-dasharray="4 3"' : "";
    parts.push(
      `<rect class="swatch ${mark}" x="${x}" y="${y}" width="18" height="12" rx="3"${dashed}/>` +
        `<text class="words" x="${x + 26}" y="${y + 10}">${escapeXml(words)}</text>`,
    );
    x += width;
    widest = Math.max(widest, x - 18);
  }
  const note = cropNote(picture);
  if (note !== undefined) {
    if (parts.length > 0) y += legendLineHeight;
    parts.push(`<text class="words" x="${legendMargin}" y="${y + 10}">${escapeXml(note)}</text>`);
    widest = Math.max(widest, legendMargin + measureText(note, legendFontSize));
  }
  if (parts.length === 0) return { text: "", width: 0, height: 0 };
  return { text: parts.join("\n"), width: widest + legendMargin, height: y + 12 + legendMargin };
}

/** A number as it is written in a drawing: one digit behind the point is finer than any screen. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** The path of a start and, for every piece, two control points and an end. */
export function pathData([start, ...rest]: readonly Point[]): string {
  if (start === undefined) return "";
  const parts = [`M${formatPoint(start)}`];
  let last = start;
  for (let i = 0; i + 2 < rest.length; i += 3) {
    const [a, b, end] = [rest[i], rest[i + 1], rest[i + 2]];
    if (a === undefined || b === undefined || end === undefined) break;
    const straight = [a, b, end].every(({ x }) => x === last.x);
    parts.push(
      straight ? `L${formatPoint(end)}` : `C${formatPoint(a)} ${formatPoint(b)} ${formatPoint(end)}`,
    );
    last = end;
  }
  return parts.join("");
}

function formatPoint({ x, y }: Point): string {
  return `${formatNumber(x)} ${formatNumber(y)}`;
}
