import { escapeXml } from "../text/escape.js";
import { cropPicture } from "./crop-picture.js";
import { artifactsRow, eventLines, fullName, guardText, hiddenEdgesText, shortName } from "./labels.js";
import {
  cropNote,
  legendMarks,
  type Mark,
  markColors,
  markDescriptions,
  type Picture,
  type PictureEdge,
  type PictureNode,
  type StateNode,
} from "./picture.js";

/** `dot` lays out a graph of this size in about a minute. */
export function cropForDot(picture: Picture): Picture {
  return cropPicture(picture, { states: 2_000, edges: 10_000 });
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

export function dot(picture: Picture): string {
  const legendText = legend(picture);
  const label =
    legendText === "" ? "" : `, label=<${legendText}>, labelloc=b, fontsize=11, fontcolor="#59636e"`;
  const lines = [
    "digraph workflow {",
    `  graph [rankdir=TB, bgcolor="#ffffff", fontname="Helvetica", nodesep=0.45, ranksep=0.55, pad=0.3${label}];`,
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8c959f", fontcolor="#1f2328", fontname="Helvetica", fontsize=13, margin="0.18,0.1"];',
    '  edge [color="#6e7781", fontcolor="#424a53", fontname="Helvetica", fontsize=11, arrowsize=0.75];',
    ...picture.nodes.map((node) => `  ${node.id}${nodeText(node)};`),
    ...picture.edges.map((edge) => `  ${edge.from} -> ${edge.to}${edgeText(edge)};`),
    "}",
  ];
  return lines.join("\n") + "\n";
}

const textColors: { readonly [mark in Mark]?: string } = { missing: "#cf222e", unreachable: "#59636e" };

function legend(picture: Picture): string {
  const colors = legendMarks(picture).map(
    (mark) => `<font color="${markColors[mark].line}">■</font> ${markDescriptions[mark]}`,
  );
  const rows = [colors.join("  "), escapeHtmlLabel(cropNote(picture) ?? "")];
  return rows.filter((row) => row !== "").join("<br/>");
}

function nodeText(node: PictureNode): string {
  if (node.kind === "start") {
    if (!node.agent)
      return ' [shape=circle, style=filled, fillcolor="#1f2328", label="", width=0.16, fixedsize=true]';
    return ` [shape=invhouse, style=filled, fillcolor="#ddf4ff", color="#0969da", label=${quote(shortName(node.name))}]`;
  }
  const colors = node.mark && markColors[node.mark];
  const marked = quoteStrings({
    fillcolor: colors?.fill,
    color: colors?.line,
    fontcolor: node.mark && textColors[node.mark],
    penwidth: colors && 1.8,
  });
  if (node.kind === "ghost") {
    return attributeList({
      label: quote(`${shortName(node.name)}\nno such state`),
      style: '"rounded,dashed"',
      ...marked,
    });
  }
  return attributeList({
    label: stateLabel(node),
    tooltip: quote(fullName(node.name)),
    peripheries: node.ends ? 2 : undefined,
    ...marked,
  });
}

function stateLabel(node: StateNode): string {
  const rows = [guardText(node), artifactsRow(node), hiddenEdgesText(node)];
  const small = rows.flatMap((row) => (row === undefined ? [] : smallText(row, "#59636e")));
  const decider = node.decider === undefined ? "" : smallText(node.decider, "#0969da");
  return `<<b>${escapeHtmlLabel(shortName(node.name))}</b>${decider}${small.join("")}>`;
}

function smallText(text: string, color: string): string {
  return `<br/><font point-size="10" color="${color}">${escapeHtmlLabel(text)}</font>`;
}

/** Graphviz interprets backslashes here too: `\N` would become the name of the node. */
function escapeHtmlLabel(text: string): string {
  return escapeXml(text).replaceAll("\\", "\\\\");
}

function edgeText(edge: PictureEdge): string {
  const colors = edge.mark && markColors[edge.mark];
  const lines = eventLines(edge);
  return attributeList({
    label: lines.length === 0 ? undefined : quote(lines.join("\n")),
    style: edge.kind === "forced" ? "dashed" : undefined,
    ...quoteStrings({ color: colors?.line, fontcolor: colors?.line, penwidth: colors && 1.8 }),
  });
}

function quoteStrings(values: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? quote(value) : value]),
  );
}

function attributeList(values: Attributes): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  );
  return pairs.length === 0 ? "" : ` [${pairs.join(", ")}]`;
}

/** Graphviz interprets backslashes and HTML entities in a quoted string. */
function quote(text: string): string {
  const safe = text
    .replaceAll("&", "&amp;")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
  return `"${safe}"`;
}
