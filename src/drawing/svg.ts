import { severities, type Severity } from "../diagnostic.js";
import { escapeXml } from "../text/escape.js";
import { pluralize } from "../text/wording.js";
import {
  formatNumber,
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
  type PictureFinding,
  type StateNode,
  usedMarks,
} from "./picture.js";
import { standaloneStyle } from "./svg-style.js";

/** A standalone file with its own colours, light and dark, and a legend for the marks it uses. */
export function svg(picture: Picture): string {
  const layout = computeLayout(picture);
  const legend = renderLegend(picture, layout.width);
  const width = Math.max(layout.width, legend.width);
  const height = layout.height + legend.height;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-labelledby="pp-title pp-desc" ` +
      `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="pp-title">${escapeXml(fullName(picture.title))}</title>`,
    `<desc id="pp-desc">${escapeXml(describePicture(picture))}</desc>`,
    `<style>${standaloneStyle(usedMarks(picture))}</style>`,
    arrowheads(picture),
    `<rect class="ground" width="${width}" height="${height}" rx="10"/>`,
    `<g transform="translate(${formatNumber((width - layout.width) / 2)} 0)">`,
    ...scene(picture, layout, false),
    "</g>",
    ...(legend.text === "" ? [] : [`<g transform="translate(0 ${layout.height})">`, legend.text, "</g>"]),
    "</svg>",
  ];
  return parts.join("\n") + "\n";
}

/** The same drawing for a page, which adds the colours and keyboard navigation. */
export function embeddedSvg(picture: Picture): string {
  const layout = computeLayout(picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="group" aria-label="Workflow" ` +
      `data-width="${layout.width}" data-height="${layout.height}">`,
    arrowheads(picture, "now"),
    '<g class="scene">',
    ...scene(picture, layout, true),
    "</g>",
    "</svg>",
  ].join("\n");
}

/** A crop note replaces the counts, which would be those of the part. */
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

/** Edges first, then nodes, then labels, so that no edge crosses a label. */
function scene(picture: Picture, layout: Layout, focusable: boolean): readonly string[] {
  return [
    ...layout.edges.map(edgePath),
    ...layout.nodes.map((placed) => nodeShape(picture, placed, focusable)),
    ...layout.edges.flatMap(edgeLabel),
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

function nodeShape(picture: Picture, placed: PlacedNode, focusable: boolean): string {
  const { node, x, y } = placed;
  const agentTitle = node.kind === "start" && node.agent ? `agent ${fullName(node.name)} starts here` : "";
  const title = node.kind === "start" ? agentTitle || "the entry" : fullName(node.name);
  const kind = node.kind === "start" ? (node.agent ? "start agent" : "start") : node.kind;
  const mark = node.mark === undefined ? "" : ` ${node.mark}`;
  const focus =
    focusable && isStateNode(node)
      ? ` tabindex="0" role="button" aria-label="${escapeXml(accessibleName(picture, node))}"`
      : "";
  return (
    `<g class="node ${kind}${mark}" data-id="${node.id}" transform="translate(${formatNumber(x)} ${formatNumber(y)})"${focus}>` +
    `<title>${escapeXml(title)}</title>` +
    `${nodeBody(placed)}${badge(picture, placed)}</g>`
  );
}

/** Repeats everything the node shows, because screen readers read the label instead of the content. */
function accessibleName(picture: Picture, node: StateNode): string {
  const { name, ends, decider, composition, guard, mark, findings } = node;
  const then = guard?.then === undefined ? "the run stops" : fullName(guard.then);
  const parts = [
    ...startLabels(picture, node.id),
    ...(ends ? ["ends the run"] : []),
    ...(decider === undefined ? [] : [decider]),
    ...(composition === undefined ? [] : [`runs the composition ${fullName(composition.name)}`]),
    ...(guard === undefined ? [] : [`at most ${pluralize(guard.max, "visit")}, then ${then}`]),
    ...(mark === undefined ? [] : [markDescriptions[mark]]),
    ...(findings.length === 0 ? [] : [pluralize(findings.length, picture.noun)]),
  ];
  return [`State ${fullName(name)}`, ...parts].join(", ");
}

function nodeBody({ node, box }: PlacedNode): string {
  if (box.rows.length === 0) return '<circle class="entry" r="7"/>';
  const { width, height } = box;
  const frame = (kind: string, inset: number, radius: number): string =>
    `<rect class="${kind}" x="${formatNumber(inset - width / 2)}" y="${formatNumber(inset - height / 2)}" ` +
    `width="${formatNumber(width - 2 * inset)}" height="${formatNumber(height - 2 * inset)}" rx="${radius}"/>`;
  const ends = isStateNode(node) && node.ends;
  const outer = frame("box", 0, node.kind === "start" ? height / 2 : 9);
  const inner = ends ? frame("inner", 3.5, 6) : "";
  let baseline = -(nameHeight + (box.rows.length - 1) * rowHeight) / 2;
  const rows = box.rows.map(({ kind, text }) => {
    baseline += kind === "name" ? nameHeight : rowHeight;
    const y = formatNumber(baseline - 5);
    if (kind === "name") return `<text class="name" y="${y}">${escapeXml(text)}</text>`;
    if (kind !== "artifacts") return `<text class="row ${kind}" y="${y}">${escapeXml(text)}</text>`;
    const left = -(measureText(text, rowFontSize) + iconWidth) / 2;
    const icon = fileIcon(left + 1, baseline - 14);
    return `${icon}<text class="row ${kind}" x="${iconWidth / 2}" y="${y}">${escapeXml(text)}</text>`;
  });
  return outer + inner + rows.join("");
}

/** Counts what the panel of the page lists. */
function badge({ findings, noun }: Picture, { node, box }: PlacedNode): string {
  if (!isStateNode(node)) return "";
  const worst = worstSeverity(node.findings.flatMap((index) => findings[index] ?? []));
  if (worst === undefined) return "";
  const count = node.findings.length;
  const title = `<title>${pluralize(count, noun)}</title>`;
  return badgeShape(String(count), worst, box.width / 2 - 2, 2 - box.height / 2, title);
}

const legendMargin = 24;
const legendLineHeight = 22;
const legendFontSize = 12;

/** Explains the signs and colours, and what is not drawn; empty if there is nothing to explain. */
function renderLegend(picture: Picture, room: number) {
  const parts: string[] = [];
  let [x, y, widest] = [legendMargin, 0, 0];
  for (const { sign, width: signWidth, words } of legendOf(picture)) {
    const width = signWidth + 8 + measureText(words, legendFontSize) + 18;
    if (x > legendMargin && x + width > Math.max(room, 420) - legendMargin + 18)
      [x, y] = [legendMargin, y + legendLineHeight];
    parts.push(
      `<g transform="translate(${x} ${y})">${sign}` +
        `<text class="words" x="${signWidth + 8}" y="11">${escapeXml(words)}</text></g>`,
    );
    x += width;
    widest = Math.max(widest, x - 18);
  }
  const note = cropNote(picture);
  if (note !== undefined) {
    if (parts.length > 0) y += legendLineHeight;
    parts.push(`<text class="words" x="${legendMargin}" y="${y + 11}">${escapeXml(note)}</text>`);
    widest = Math.max(widest, legendMargin + measureText(note, legendFontSize));
  }
  if (parts.length === 0) return { text: "", width: 0, height: 0 };
  return { text: parts.join("\n"), width: widest + legendMargin, height: y + signHeight + legendMargin };
}

function pathData([start, ...rest]: readonly Point[]): string {
  if (start === undefined) return "";
  const parts = [`M${formatPoint(start)}`];
  let last = start;
  for (let i = 0; i + 2 < rest.length; i += 3) {
    const [a, b, end] = [rest[i], rest[i + 1], rest[i + 2]];
    if (a === undefined || b === undefined || end === undefined) break;
    const points = [a, b, end];
    const isStraight = points.every(({ x }) => x === last.x) || points.every(({ y }) => y === last.y);
    parts.push(
      isStraight ? `L${formatPoint(end)}` : `C${formatPoint(a)} ${formatPoint(b)} ${formatPoint(end)}`,
    );
    last = end;
  }
  return parts.join("");
}

function formatPoint({ x, y }: Point): string {
  return `${formatNumber(x)} ${formatNumber(y)}`;
}

const signHeight = 14;
const signWidth = 22;

/** Every sign that the drawing uses, and no other: as it is drawn, its width, and what it means. */
export function legendOf(picture: Picture) {
  const { nodes, edges, findings, noun } = picture;
  const states = nodes.filter(isStateNode);
  const starts = nodes.filter((node) => node.kind === "start");
  const hasForcedExit = edges.some(({ kind }) => kind === "forced");
  const hasComposition = states.some(({ decider, composition }) => !decider && composition);
  const hasUnmarkedGhost = nodes.some(({ kind, mark }) => kind === "ghost" && !mark);
  const worst = worstSeverity(states.flatMap((state) => state.findings.flatMap((i) => findings[i] ?? [])));
  const entries = [
    starts.some(({ agent }) => !agent) && shape('<circle class="entry" cx="11" cy="7" r="6"/>', "the entry"),
    starts.some(({ agent }) => agent) && shape(box("agent", 7), "an agent starts here"),
    states.some(({ ends }) => ends) && shape(box("", 4) + frame("inner", 3, 2), "ends the run"),
    hasForcedExit && shape('<g class="edge forced"><path d="M0 7H22"/></g>', "forced exit, at max_visits"),
    states.some(({ guard }) => guard) && word("guard", "max n ⇒", "the most visits, and what follows"),
    states.some(({ decider }) => decider === "external") &&
      word("decider", "external", "a person or another system sends the event"),
    states.some(({ decider }) => decider === "hybrid") &&
      word("decider", "hybrid", "the runtime or someone else sends the event"),
    hasComposition && word("decider", "composition", "steps that run instead of a prompt"),
    states.some(({ artifacts }) => artifacts.length > 0) && shape(fileIcon(7, 2), "artifacts it may write"),
    hasUnmarkedGhost && shape(box("ghost", 4), markDescriptions.missing),
    worst && shape(badgeShape("n", worst, 11, 7), `how many ${noun}s it has`),
    ...usedMarks(picture).map((mark) =>
      shape(box(mark === "missing" ? "ghost missing" : mark, 4), markDescriptions[mark]),
    ),
  ];
  return entries.flatMap((entry) => entry || []);
}

function shape(sign: string, words: string) {
  return { sign, width: signWidth, words };
}

function word(kind: "guard" | "decider", text: string, words: string) {
  const width = Math.ceil(measureText(text, rowFontSize) * 1.1);
  return { sign: `<text class="row ${kind}" x="${width / 2}" y="11">${text}</text>`, width, words };
}

function box(name: string, radius: number): string {
  return `<g class="${name}">${frame("box", 0, radius)}</g>`;
}

function frame(name: string, inset: number, radius: number): string {
  const [width, height] = [signWidth - 2 * inset, signHeight - 2 * inset];
  return `<rect class="${name}" x="${inset}" y="${inset}" width="${width}" height="${height}" rx="${radius}"/>`;
}

/** A sheet with a folded corner. */
function fileIcon(x: number, y: number): string {
  return `<path class="sign" d="M${formatNumber(x)} ${formatNumber(y)}h5l3 3v7h-8z"/>`;
}

function badgeShape(text: string, severity: Severity, x: number, y: number, title = ""): string {
  const width = Math.max(18, measureText(text, 10) + 8);
  return (
    `<g class="badge ${severity}" transform="translate(${formatNumber(x)} ${formatNumber(y)})">${title}` +
    `<rect x="${-width / 2}" y="-9" width="${width}" height="18" rx="9"/><text y="3.5">${text}</text></g>`
  );
}

function worstSeverity(findings: readonly PictureFinding[]): Severity | undefined {
  return severities.find((severity) => findings.some((finding) => finding.severity === severity));
}
