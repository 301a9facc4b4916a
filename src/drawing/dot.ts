import { escapeXml } from "../text/escape.js";
import { cropWithSteps } from "./crop-picture.js";
import { boxRows, eventLines, fullName, rowText, shortName, stepRows } from "./labels.js";
import { cropNote, isStateNode, type Mark, marks, usedMarks } from "./picture.js";
import type { CompositionStep, Picture, PictureComposition, PictureEdge, PictureNode } from "./picture.js";

/** `dot` lays out a graph of this size in about a minute. */
export function cropForDot(picture: Picture): Picture {
  return cropWithSteps(picture, { states: 2_000, edges: 10_000 });
}

export function dot(picture: Picture): string {
  const legendText = legend(picture);
  const label =
    legendText === "" ? "" : `, label=<${legendText}>, labelloc=b, fontsize=11, fontcolor="#59636e"`;
  const lines = [
    "digraph workflow {",
    `  graph [rankdir=${picture.direction === "lr" ? "LR" : "TB"}, bgcolor="#ffffff", fontname="Helvetica", nodesep=0.45, ranksep=0.55, pad=0.3${picture.compositions.length > 0 ? ", compound=true" : ""}${label}];`,
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8c959f", fontcolor="#1f2328", fontname="Helvetica", fontsize=13, margin="0.18,0.1"];',
    '  edge [color="#6e7781", fontcolor="#424a53", fontname="Helvetica", fontsize=11, arrowsize=0.75];',
    ...picture.nodes.map((node) => `  ${node.id}${attributes(nodeAttributes(node))};`),
    ...picture.edges.map((edge) => `  ${edge.from} -> ${edge.to}${attributes(edgeAttributes(edge))};`),
    ...picture.compositions.flatMap((composition) => compositionLines(composition, picture)),
    "}",
  ];
  return lines.join("\n") + "\n";
}

function legend(picture: Picture): string {
  // A ghost node is labelled already.
  const used = usedMarks(picture).filter((mark) => mark !== "missing");
  const colors = used.map((mark) => `<font color="${marks[mark].light[0]}">■</font> ${marks[mark].words}`);
  const rows = [colors.join("  "), escapeHtmlLabel(cropNote(picture) ?? "")];
  return rows.filter((row) => row !== "").join("<br/>");
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function attributes(values: Attributes): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? "" : ` [${pairs.map(([name, value]) => `${name}=${value}`).join(", ")}]`;
}

function nodeAttributes(node: PictureNode): Attributes {
  const { mark, kind, name } = node;
  if (kind === "start") {
    const style = { style: "filled", fillcolor: node.agent ? '"#ddf4ff"' : '"#1f2328"' };
    if (!node.agent) return { shape: "circle", ...style, label: '""', width: 0.16, fixedsize: "true" };
    return { shape: "invhouse", ...style, color: '"#0969da"', label: quote(shortName(name)) };
  }
  const [line, fill] = mark === undefined ? [] : marks[mark].light;
  const fontcolor = mark && textColors[mark];
  const marked = {
    fillcolor: fill && quote(fill),
    color: line && quote(line),
    fontcolor: fontcolor && quote(fontcolor),
    penwidth: mark && 1.8,
  };
  const rows = boxRows(node);
  if (kind === "ghost")
    return { label: quote(rows.map(rowText).join("\n")), style: '"rounded,dashed"', ...marked };
  const [, ...others] = rows.map((row) => smallText(rowText(row), row.kind === "decider" ? blue : gray));
  const label = htmlLabel(shortName(name), others);
  return { label, tooltip: quote(fullName(name)), peripheries: node.ends ? 2 : undefined, ...marked };
}

const blue = "#0969da";
const gray = "#59636e";
const textColors: { readonly [mark in Mark]?: string } = { missing: "#cf222e", unreachable: gray };

function htmlLabel(name: string, rows: readonly string[]): string {
  return `<<b>${escapeHtmlLabel(name)}</b>${rows.join("")}>`;
}

function smallText(text: string, color: string): string {
  return `<br/><font point-size="10" color="${color}">${escapeHtmlLabel(text)}</font>`;
}

function edgeAttributes(edge: PictureEdge): Attributes {
  const color = edge.mark && quote(marks[edge.mark].light[0]);
  return {
    label: edge.events.length === 0 ? undefined : quote(eventLines(edge).join("\n")),
    style: edge.kind === "forced" ? "dashed" : undefined,
    color,
    fontcolor: color,
    penwidth: color && 1.8,
  };
}

const clusterStyle = 'style="rounded,filled", color="#d1d9e0", fontsize=11, fontcolor="#59636e"';

function compositionLines({ id, name, steps, edges }: PictureComposition, { nodes }: Picture) {
  const ends = new Map(steps.map((step) => [step.id, edgeEnds(step)]));
  const head = ends.get(steps[0]?.id ?? "")?.head;
  const runners = nodes.filter((node) => isStateNode(node) && node.composition?.id === id);
  const tie = attributes({ lhead: `cluster_${id}`, style: "dotted", arrowhead: "none", weight: 0 });
  return [
    `  subgraph cluster_${id} {`,
    `    graph [label=${quote(`composition ${shortName(name)}`)}, ${clusterStyle}, fillcolor="#f6f8fa"];`,
    ...steps.flatMap(stepLines).map((line) => `    ${line}`),
    ...edges.map(({ from, to, kind, label }) => {
      const [start, end] = [ends.get(from), ends.get(to)];
      const style = kind === "next" ? undefined : "dotted";
      const clusters = { ltail: start?.cluster, lhead: end?.cluster };
      const look = attributes({ ...clusters, label: label && quote(label), style });
      return `    ${start?.tail ?? from} -> ${end?.head ?? to}${look};`;
    }),
    "  }",
    ...(head === undefined ? [] : runners.map((state) => `  ${state.id} -> ${head}${tie};`)),
  ];
}

function stepLines(step: CompositionStep): readonly string[] {
  const { id, branches } = step;
  if (branches.length === 0) return [stepBox(step)];
  return [
    `subgraph cluster_${id} {`,
    `  graph [label=${stepLabel(step)}, ${clusterStyle}, fillcolor="#ffffff"];`,
    ...branches.map((branch) => `  ${stepBox(branch)}`),
    "}",
  ];
}

function stepBox(step: CompositionStep): string {
  const look = step.kind === "branch" ? { shape: "hexagon", style: "filled" } : {};
  return `${step.id}${attributes({ label: stepLabel(step), tooltip: quote(fullName(step.name)), ...look })};`;
}

function stepLabel(step: CompositionStep): string {
  const [name = "", row = "", ...result] = stepRows(step);
  return htmlLabel(name, [smallText(row, gray), ...result.map((text) => smallText(text, blue))]);
}

/** Graphviz draws edges between nodes only: those of a cluster begin or end at one inside, and are cut at its border. */
function edgeEnds({ id, branches }: CompositionStep) {
  const cluster = branches.length > 0 ? `cluster_${id}` : undefined;
  return { head: branches[0]?.id ?? id, tail: branches.at(-1)?.id ?? id, cluster };
}

/** Graphviz interprets backslashes here too: `\N` would become the name of the node. */
function escapeHtmlLabel(text: string): string {
  return escapeXml(text).replaceAll("\\", "\\\\");
}

/** Graphviz interprets backslashes and HTML entities in a quoted string. */
function quote(text: string): string {
  const safe = text.replaceAll("&", "&amp;").replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `"${safe.replaceAll("\n", "\\n")}"`;
}
