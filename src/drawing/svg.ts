import { severities } from "../diagnostic.js";
import { count } from "../words/wording.js";
import { curve, num } from "./curve.js";
import { fullName, startsAt } from "./labels.js";
import { labelHeight, layOut } from "./layout.js";
import { legend } from "./legend.js";
import { measureText } from "./measure-text.js";
import { nameHeight, rowHeight, rowSize, signWidth } from "./node-face.js";
import { isState, markWords, partNote, type Picture, type StartNode, type StateNode } from "./picture.js";
import { usedMarks } from "./picture.js";
import type { Layout, PlacedEdge, PlacedNode } from "./placed.js";
import { standaloneStyle } from "./svg-style.js";
import { escapeXml } from "../text/xml.js";

/** A picture that stands alone: its own colours, light and dark, and a legend where something is painted. */
export function svg(picture: Picture): string {
  const laid = layOut(picture);
  const words = legend(picture, laid.width);
  const width = Math.max(laid.width, words.width);
  const height = laid.height + words.height;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-labelledby="pp-title pp-desc" ` +
      `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="pp-title">${escapeXml(fullName(picture.title))}</title>`,
    `<desc id="pp-desc">${escapeXml(describe(picture))}</desc>`,
    `<style>${standaloneStyle}</style>`,
    markers(picture),
    `<rect class="ground" width="${width}" height="${height}" rx="10"/>`,
    `<g transform="translate(${num((width - laid.width) / 2)} 0)">`,
    ...scene(picture, laid, false),
    "</g>",
    ...(words.text === "" ? [] : [`<g transform="translate(0 ${laid.height})">`, words.text, "</g>"]),
    "</svg>",
  ];
  return parts.join("\n") + "\n";
}

/** The same drawing for a page, which brings the colours and can be walked by keyboard. */
export function embeddedSvg(picture: Picture): string {
  const laid = layOut(picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="group" aria-label="Workflow" ` +
      `data-width="${laid.width}" data-height="${laid.height}">`,
    markers(picture, "now"),
    '<g class="scene">',
    ...scene(picture, laid, true),
    "</g>",
    "</svg>",
  ].join("\n");
}

/** Of a part, only the states of the whole are known. */
function describe(picture: Picture): string {
  const { nodes, edges, states } = picture;
  const workflow = `A workflow of ${count(states, "state")}`;
  const note = partNote(picture);
  if (note !== undefined) return `${workflow}. ${note}`;
  const ends = nodes.filter((node) => isState(node) && node.ends).length;
  const moves = edges.filter(({ kind }) => kind !== "start").length;
  return `${workflow}, ${count(ends, "end")} and ${count(moves, "edge")}.`;
}

function markers(picture: Picture, ...more: readonly string[]): string {
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
  return `<g class="edge ${edge.kind}${mark}" data-id="${edge.id}"><path d="${curve(points)}" marker-end="url(#${head})"/></g>`;
}

function edgeLabel({ edge, lines, label }: PlacedEdge): readonly string[] {
  if (lines.length === 0) return [];
  const mark = edge.mark === undefined ? "" : ` ${edge.mark}`;
  const top = label.y - (lines.length * labelHeight) / 2 + 11.5;
  const texts = lines.map(
    (line, index) =>
      `<text x="${num(label.x)}" y="${num(top + index * labelHeight)}">${escapeXml(line)}</text>`,
  );
  return [`<g class="edge label${mark}" data-label="${edge.id}">${texts.join("")}</g>`];
}

function nodeShape(picture: Picture, placed: PlacedNode, walkable: boolean): string {
  const { node, x, y } = placed;
  const kind = node.kind === "start" ? (node.agent ? "start agent" : "start") : node.kind;
  const mark = node.mark === undefined ? "" : ` ${node.mark}`;
  const walk =
    walkable && isState(node)
      ? ` tabindex="0" role="button" aria-label="${escapeXml(spoken(picture, node))}"`
      : "";
  return (
    `<g class="node ${kind}${mark}" data-id="${node.id}" transform="translate(${num(x)} ${num(y)})"${walk}>` +
    `<title>${escapeXml(node.kind === "start" ? startTitle(node) : fullName(node.name))}</title>` +
    `${body(placed)}${badge(picture, placed)}</g>`
  );
}

function startTitle({ name, agent }: StartNode): string {
  return agent ? `agent ${fullName(name)} starts here` : "the entry";
}

/** All that can be seen of a state: its label replaces what stands in it. */
function spoken(picture: Picture, node: StateNode): string {
  const { name, ends, decider, guard, mark, findings } = node;
  const then = guard?.then === undefined ? "the run stops" : fullName(guard.then);
  const parts = [
    ...startsAt(picture, node.id),
    ...(ends ? ["ends the run"] : []),
    ...(decider === undefined ? [] : [decider]),
    ...(guard === undefined ? [] : [`at most ${count(guard.max, "visit")}, then ${then}`]),
    ...(mark === undefined ? [] : [markWords[mark]]),
    ...(findings.length === 0 ? [] : [count(findings.length, "finding")]),
  ];
  return [`State ${fullName(name)}`, ...parts].join(", ");
}

function body({ node, face }: PlacedNode): string {
  if (face.rows.length === 0) return '<circle class="entry" r="7"/>';
  const { width, height } = face;
  const box = (kind: string, inset: number, radius: number): string =>
    `<rect class="${kind}" x="${num(inset - width / 2)}" y="${num(inset - height / 2)}" ` +
    `width="${num(width - 2 * inset)}" height="${num(height - 2 * inset)}" rx="${radius}"/>`;
  const ends = isState(node) && node.ends;
  const frame = box("box", 0, node.kind === "start" ? height / 2 : 9) + (ends ? box("inner", 3.5, 6) : "");
  let baseline = -(nameHeight + (face.rows.length - 1) * rowHeight) / 2;
  const rows = face.rows.map(({ kind, text }) => {
    baseline += kind === "name" ? nameHeight : rowHeight;
    const y = num(baseline - 5);
    if (kind === "name") return `<text class="name" y="${y}">${escapeXml(text)}</text>`;
    if (kind !== "artifacts") return `<text class="row ${kind}" y="${y}">${escapeXml(text)}</text>`;
    const left = -(measureText(text, rowSize) + signWidth) / 2;
    const sign = `<path class="sign" d="M${num(left + 1)} ${num(baseline - 14)}h5l3 3v7h-8z"/>`;
    return `${sign}<text class="row ${kind}" x="${signWidth / 2}" y="${y}">${escapeXml(text)}</text>`;
  });
  return frame + rows.join("");
}

/** How many errors and warnings stand at a state, in the colour of the worst. */
function badge({ findings }: Picture, { node, face }: PlacedNode): string {
  if (!isState(node)) return "";
  const grave = node.findings
    .flatMap((index) => findings[index] ?? [])
    .filter(({ severity, nodes: [place] }) => severity !== "info" && place === node.id);
  const worst = severities.find((severity) => grave.some((finding) => finding.severity === severity));
  if (worst === undefined) return "";
  const place = `translate(${num(face.width / 2 - 2)} ${num(2 - face.height / 2)})`;
  const label = grave.length > 9 ? "9+" : String(grave.length);
  return `<g class="badge ${worst}" transform="${place}"><circle r="9"/><text y="3.5">${label}</text></g>`;
}
