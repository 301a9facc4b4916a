import { severities, type Severity } from "../diagnostic.js";
import { escapeXml } from "../text/escape.js";
import { pluralize } from "../text/wording.js";
import { fullName, iconWidth, labelLineHeight, measureText, nameHeight } from "./labels.js";
import { rowFontSize, rowHeight, startLabels } from "./labels.js";
import { computeLayout, type Layout, type PlacedEdge, type PlacedNode, type Point } from "./layout.js";
import { allMarks, cropNote, isStateNode, type Mark, marks, usedMarks } from "./picture.js";
import type { Picture, PictureFinding, StateNode } from "./picture.js";

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
  const head = edge.mark === undefined ? "pp-head" : `pp-head-${edge.mark}`;
  const path = `<path d="${pathData(points)}" marker-end="url(#${head})"/>`;
  return `<g class="${classes("edge", edge.kind, edge.mark)}" data-id="${edge.id}">${path}</g>`;
}

function edgeLabel({ edge, lines, label }: PlacedEdge): readonly string[] {
  if (lines.length === 0) return [];
  const x = formatNumber(label.x);
  const top = label.y - (lines.length * labelLineHeight) / 2 + 11.5;
  const texts = lines.map((line, index) => {
    return `<text x="${x}" y="${formatNumber(top + index * labelLineHeight)}">${escapeXml(line)}</text>`;
  });
  return [`<g class="${classes("edge label", edge.mark)}" data-label="${edge.id}">${texts.join("")}</g>`];
}

function classes(...names: readonly (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(" ");
}

function nodeShape(picture: Picture, placed: PlacedNode, focusable: boolean): string {
  const { node, x, y } = placed;
  const isAgent = node.kind === "start" && node.agent;
  const startTitle = isAgent ? `agent ${fullName(node.name)} starts here` : "the entry";
  const focus =
    focusable && isStateNode(node)
      ? ` tabindex="0" role="button" aria-label="${escapeXml(accessibleName(picture, node))}"`
      : "";
  return (
    `<g class="${classes("node", isAgent ? "start agent" : node.kind, node.mark)}" data-id="${node.id}" ` +
    `transform="translate(${formatPoint({ x, y })})"${focus}>` +
    `<title>${escapeXml(node.kind === "start" ? startTitle : fullName(node.name))}</title>` +
    `${nodeBody(placed)}${badge(picture, placed)}</g>`
  );
}

/** Repeats everything the node shows, because screen readers read the label instead of the content. */
function accessibleName(picture: Picture, node: StateNode): string {
  const { name, ends, decider, composition, guard, mark, findings } = node;
  const then = guard?.then === undefined ? "the run stops" : fullName(guard.then);
  const parts = [
    `State ${fullName(name)}`,
    ...startLabels(picture, node.id),
    ends && "ends the run",
    decider,
    composition && `runs the composition ${fullName(composition.name)}`,
    guard && `at most ${pluralize(guard.max, "visit")}, then ${then}`,
    mark && marks[mark].words,
    findings.length > 0 && pluralize(findings.length, picture.noun),
  ];
  return parts.filter((part) => part !== undefined && part !== false).join(", ");
}

function nodeBody({ node, box }: PlacedNode): string {
  if (box.rows.length === 0) return '<circle class="entry" r="7"/>';
  const { width, height } = box;
  const whole = { x: -width / 2, y: -height / 2, width, height };
  const outer = frame("box", whole, 0, node.kind === "start" ? height / 2 : 9);
  const inner = isStateNode(node) && node.ends ? frame("inner", whole, 3.5, 6) : "";
  let baseline = -(nameHeight + (box.rows.length - 1) * rowHeight) / 2;
  const rows = box.rows.map(({ kind, text }) => {
    baseline += kind === "name" ? nameHeight : rowHeight;
    const left = -(measureText(text, rowFontSize) + iconWidth) / 2;
    const [icon, x] =
      kind === "artifacts" ? [fileIcon(left + 1, baseline - 14), ` x="${iconWidth / 2}"`] : ["", ""];
    const name = kind === "name" ? kind : `row ${kind}`;
    return `${icon}<text class="${name}"${x} y="${formatNumber(baseline - 5)}">${escapeXml(text)}</text>`;
  });
  return outer + inner + rows.join("");
}

function badge({ findings, noun }: Picture, { node, box }: PlacedNode): string {
  if (!isStateNode(node)) return "";
  const worst = worstSeverity(node.findings, findings);
  if (worst === undefined) return "";
  const count = node.findings.length;
  const title = `<title>${pluralize(count, noun)}</title>`;
  return badgeShape(String(count), worst, box.width / 2 - 2, 2 - box.height / 2, title);
}

function worstSeverity(indexes: readonly number[], findings: readonly PictureFinding[]) {
  return severities.find((severity) => indexes.some((index) => findings[index]?.severity === severity));
}

function pathData([start, ...rest]: readonly Point[]): string {
  if (start === undefined) return "";
  const parts = [`M${formatPoint(start)}`];
  let last = start;
  for (let i = 0; i + 2 < rest.length; i += 3) {
    const points = rest.slice(i, i + 3);
    const end = points[2] ?? last;
    const isStraight = points.every(({ x }) => x === last.x) || points.every(({ y }) => y === last.y);
    parts.push(isStraight ? `L${formatPoint(end)}` : `C${points.map(formatPoint).join(" ")}`);
    last = end;
  }
  return parts.join("");
}

function formatPoint({ x, y }: Point): string {
  return `${formatNumber(x)} ${formatNumber(y)}`;
}

/** One decimal is finer than any screen. */
function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

const legendMargin = 24;
const legendLineHeight = 22;
const legendFontSize = 12;

function renderLegend(picture: Picture, room: number) {
  const parts: string[] = [];
  let [x, y, widest] = [legendMargin, 0, 0];
  for (const { sign, width: ownWidth, words } of legendOf(picture)) {
    const width = ownWidth + 8 + measureText(words, legendFontSize) + 18;
    if (x > legendMargin && x + width > Math.max(room, 420) - legendMargin + 18)
      [x, y] = [legendMargin, y + legendLineHeight];
    const text = `<text class="words" x="${ownWidth + 8}" y="11">${escapeXml(words)}</text>`;
    parts.push(`<g transform="translate(${x} ${y})">${sign}${text}</g>`);
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
  return { text: parts.join("\n"), width: widest + legendMargin, height: y + signSize.height + legendMargin };
}

const signSize = { x: 0, y: 0, width: 22, height: 14 };

/** Every sign that the drawing uses, and no other: as it is drawn, its width, and what it means. */
export function legendOf(picture: Picture) {
  const { nodes, edges, findings, noun } = picture;
  const states = nodes.filter(isStateNode);
  const agents = nodes.flatMap((node) => (node.kind === "start" ? node.agent : []));
  const deciders = new Set(
    states.map(({ decider, composition }) => decider ?? (composition && "composition")),
  );
  const attached = states.flatMap((state) => state.findings);
  const worst = worstSeverity(attached, findings) ?? "info";
  const hasPlainGhost = nodes.some(({ kind, mark }) => kind === "ghost" && !mark);
  const shape = (sign: string) => ({ sign, width: signSize.width });
  const box = (name: string, radius: number, more = "") =>
    shape(`<g class="${name}">${frame("box", signSize, 0, radius)}</g>${more}`);
  const row = (kind: "guard" | "decider", text: string) => {
    const width = Math.ceil(measureText(text, rowFontSize) * 1.1);
    return { sign: `<text class="row ${kind}" x="${width / 2}" y="11">${text}</text>`, width };
  };
  const decider = (name: "external" | "hybrid" | "composition", words: string) =>
    [deciders.has(name), row("decider", name), words] as const;
  const forced = shape('<g class="edge forced"><path d="M0 7H22"/></g>');
  const rows: readonly (readonly [isUsed: boolean, ReturnType<typeof shape>, words: string])[] = [
    [agents.includes(false), shape('<circle class="entry" cx="11" cy="7" r="6"/>'), "the entry"],
    [agents.includes(true), box("agent", 7), "an agent starts here"],
    [states.some(({ ends }) => ends), box("", 4, frame("inner", signSize, 3, 2)), "ends the run"],
    [edges.some(({ kind }) => kind === "forced"), forced, "forced exit, at max_visits"],
    [states.some(({ guard }) => guard), row("guard", "max n ⇒"), "the most visits, and what follows"],
    decider("external", "a person or another system sends the event"),
    decider("hybrid", "the runtime or someone else sends the event"),
    decider("composition", "steps that run instead of a prompt"),
    [states.some(({ artifacts }) => artifacts.length > 0), shape(fileIcon(7, 2)), "artifacts it may write"],
    [hasPlainGhost, box("ghost", 4), marks.missing.words],
    [attached.length > 0, shape(badgeShape("n", worst, 11, 7)), `how many ${noun}s it has`],
    ...usedMarks(picture).map(
      (mark) => [true, box(mark === "missing" ? "ghost missing" : mark, 4), marks[mark].words] as const,
    ),
  ];
  return rows.flatMap(([isUsed, sign, words]) => (isUsed ? { ...sign, words } : []));
}

function frame(kind: string, whole: typeof signSize, inset: number, radius: number): string {
  const { x, y, width, height } = whole;
  const [left, top] = [x + inset, y + inset].map(formatNumber);
  const [across, down] = [width - 2 * inset, height - 2 * inset].map(formatNumber);
  return `<rect class="${kind}" x="${left}" y="${top}" width="${across}" height="${down}" rx="${radius}"/>`;
}

/** A sheet with a folded corner. */
function fileIcon(x: number, y: number): string {
  return `<path class="sign" d="M${formatPoint({ x, y })}h5l3 3v7h-8z"/>`;
}

function badgeShape(text: string, severity: Severity, x: number, y: number, title = ""): string {
  const width = Math.max(18, measureText(text, 10) + 8);
  return (
    `<g class="badge ${severity}" transform="translate(${formatPoint({ x, y })})">${title}` +
    `<rect x="${-width / 2}" y="-9" width="${width}" height="18" rx="9"/><text y="3.5">${text}</text></g>`
  );
}

type Theme = "light" | "dark";

/** Each for a light and a dark background. */
const colors = {
  bg: ["#ffffff", "#0d1117"],
  surface: ["#ffffff", "#161b22"],
  border: ["#8c959f", "#6e7681"],
  text: ["#1f2328", "#e6edf3"],
  muted: ["#59636e", "#9198a1"],
  edge: ["#6e7781", "#8b949e"],
  accent: ["#0969da", "#4493f8"],
  tint: ["#ddf4ff", "#12233d"],
  error: ["#cf222e", "#f85149"],
  warning: ["#9a6700", "#d29922"],
  info: ["#0969da", "#4493f8"],
};

function colorValues(theme: Theme): ReadonlyMap<string, string> {
  const ofMarks = allMarks.flatMap((mark) => {
    const [line, fill] = marks[mark][theme];
    return [[mark, line] as const, [`${mark}-fill`, fill] as const];
  });
  const others = Object.entries(colors).map(([name, [light = "", dark = ""]]) => {
    return [name, theme === "light" ? light : dark] as const;
  });
  return new Map([...others, ...ofMarks]);
}

export function customProperties(theme: Theme): string {
  return [...colorValues(theme)].map(([name, color]) => `--${name}:${color}`).join(";");
}

export const fontFamily =
  'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif';

const shapeRules = (used: readonly Mark[]): string =>
  `.graph text{font-family:${fontFamily}}` +
  ".box{stroke-width:1.25}.inner{fill:none}" +
  ".name{font-size:14px;font-weight:600;text-anchor:middle}" +
  ".row{font-size:11.5px;text-anchor:middle}.graph .row.decider{font-weight:600}" +
  ".sign{fill:none}.ghost .box{stroke-dasharray:5 4}" +
  ".edge path{fill:none;stroke-width:1.5}.edge.forced path{stroke-dasharray:6 4}" +
  ".edge text{font-size:12px;text-anchor:middle;paint-order:stroke;stroke-width:5px;stroke-linejoin:round}" +
  used.map((name) => `.${name} .box{stroke-width:2}.edge.${name} path{stroke-width:2.25}`).join("") +
  ".edge.unreachable path{stroke-width:1.5}" +
  ".badge rect{stroke-width:2}.graph .badge text{font-size:10px;font-weight:700;text-anchor:middle}" +
  ".graph .words{font-size:12px}";

/** A name after a `$` is that of a colour. */
const markRules = (mark: Mark): string =>
  `.${mark} .box{fill:$${mark}-fill;stroke:$${mark}}.${mark} .inner{stroke:$${mark}}` +
  `.edge.${mark} path{stroke:$${mark}}.edge.${mark} text{fill:$${mark}}.head-${mark}{fill:$${mark}}`;

function colorRules(used: readonly Mark[], color: (name: string) => string): string {
  const rules =
    ".graph text{fill:$text}.box{fill:$surface;stroke:$border}.inner{stroke:$border}" +
    ".graph .row{fill:$muted}.graph .row.decider{fill:$accent}.sign{stroke:$muted}.entry{fill:$text}" +
    ".agent .box{fill:$tint;stroke:$accent}" +
    ".edge path{stroke:$edge}.edge text{stroke:$bg}.head{fill:$edge}" +
    used.map(markRules).join("") +
    ".missing .name,.graph .missing .row{fill:$missing}.graph .unreachable .name{fill:$muted}" +
    ".badge rect{stroke:$bg}.badge.error rect{fill:$error}.badge.warning rect{fill:$warning}" +
    ".badge.info rect{fill:$info}.graph .badge text{fill:$bg}.graph .words{fill:$muted}";
  return rules.replace(/\$([\w-]+)/gu, (_, name: string) => color(name));
}

export const drawingStyle =
  shapeRules(allMarks) +
  colorRules(allMarks, (name) => `var(--${name})`) +
  ".gone .name{text-decoration:line-through}.gone .box{stroke-dasharray:5 4}";

/** For a standalone drawing: literal colours, because many viewers do not support custom properties. */
export function standaloneStyle(used: readonly Mark[]): string {
  const themeRules = (theme: Theme): string => {
    const values = colorValues(theme);
    return `.ground{fill:${values.get("bg")}}${colorRules(used, (name) => values.get(name) ?? "")}`;
  };
  return `${shapeRules(used)}${themeRules("light")}@media (prefers-color-scheme:dark){${themeRules("dark")}}`;
}
