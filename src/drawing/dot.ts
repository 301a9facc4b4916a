import { escapeXml } from "../text/escape.js";
import type { PictureComposition, PictureStep, StepEdge } from "./composition-picture.js";
import { cropWithSteps } from "./crop-picture.js";
import { eventLines, fullName, rowText, shortName, stateRows, stepRow } from "./labels.js";
import {
  cropNote,
  isStateNode,
  type Mark,
  markColors,
  markDescriptions,
  type Picture,
  type PictureEdge,
  type PictureNode,
  type StateNode,
  usedMarks,
} from "./picture.js";

/** `dot` lays out a graph of this size in about a minute. */
export function cropForDot(picture: Picture): Picture {
  return cropWithSteps(picture, { states: 2_000, edges: 10_000 });
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

export function dot(picture: Picture): string {
  const legendText = legend(picture);
  const label =
    legendText === "" ? "" : `, label=<${legendText}>, labelloc=b, fontsize=11, fontcolor="#59636e"`;
  const lines = [
    "digraph workflow {",
    `  graph [rankdir=${picture.direction === "lr" ? "LR" : "TB"}, bgcolor="#ffffff", fontname="Helvetica", nodesep=0.45, ranksep=0.55, pad=0.3${picture.compositions.length > 0 ? ", compound=true" : ""}${label}];`,
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8c959f", fontcolor="#1f2328", fontname="Helvetica", fontsize=13, margin="0.18,0.1"];',
    '  edge [color="#6e7781", fontcolor="#424a53", fontname="Helvetica", fontsize=11, arrowsize=0.75];',
    ...picture.nodes.map((node) => `  ${node.id}${nodeText(node)};`),
    ...picture.edges.map((edge) => `  ${edge.from} -> ${edge.to}${edgeText(edge)};`),
    ...picture.compositions.flatMap((composition) => compositionLines(composition, picture)),
    "}",
  ];
  return lines.join("\n") + "\n";
}

const textColors: { readonly [mark in Mark]?: string } = { missing: "#cf222e", unreachable: "#59636e" };

function legend(picture: Picture): string {
  // A ghost node is labelled already.
  const marks = usedMarks(picture).filter((mark) => mark !== "missing");
  const colors = marks.map(
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
  const rows = stateRows(node).map((row) =>
    smallText(rowText(row), row.kind === "decider" ? "#0969da" : "#59636e"),
  );
  return `<<b>${escapeHtmlLabel(shortName(node.name))}</b>${rows.join("")}>`;
}

function smallText(text: string, color: string): string {
  return `<br/><font point-size="10" color="${color}">${escapeHtmlLabel(text)}</font>`;
}

const clusterStyle = 'style="rounded,filled", color="#d1d9e0", fontsize=11, fontcolor="#59636e"';

/** A cluster with the steps, tied to the states that run them. */
function compositionLines(composition: PictureComposition, { nodes }: Picture): readonly string[] {
  const { id, name, steps, edges } = composition;
  const stepOf = new Map(steps.map((step) => [step.id, step]));
  const [first] = steps;
  const runners = nodes.filter((node) => isStateNode(node) && node.composition?.id === id);
  const tie = { lhead: `cluster_${id}`, style: "dotted", arrowhead: "none", weight: 0 };
  return [
    `  subgraph cluster_${id} {`,
    `    graph [label=${quote(`composition ${shortName(name)}`)}, ${clusterStyle}, fillcolor="#f6f8fa"];`,
    ...steps.flatMap(stepLines).map((line) => `    ${line}`),
    ...edges.map((edge) => `    ${stepEdgeText(edge, stepOf)};`),
    "  }",
    ...(first === undefined
      ? []
      : runners.map((state) => `  ${state.id} -> ${edgeEnds(first).head}${attributeList(tie)};`)),
  ];
}

function stepLines(step: PictureStep): readonly string[] {
  const { id, name, kind, branches, isResult } = step;
  const result = isResult ? smallText("result", "#0969da") : "";
  const label = `<<b>${escapeHtmlLabel(shortName(name))}</b>${smallText(stepRow(step), "#59636e")}${result}>`;
  if (branches.length === 0) {
    const shape = kind === "branch" ? "hexagon" : undefined;
    return [
      `${id}${attributeList({ label, tooltip: quote(fullName(name)), shape, style: shape && "filled" })};`,
    ];
  }
  return [
    `subgraph cluster_${id} {`,
    `  graph [label=${label}, ${clusterStyle}, fillcolor="#ffffff"];`,
    ...branches.map((branch) => `  ${stepLines({ ...branch, branches: [] }).join("")}`),
    "}",
  ];
}

/** Graphviz draws edges between nodes only: those of a cluster begin or end at one inside, and are cut at its border. */
function edgeEnds({ id, branches }: PictureStep) {
  return {
    head: branches[0]?.id ?? id,
    tail: branches.at(-1)?.id ?? id,
    cluster: branches.length > 0 ? `cluster_${id}` : undefined,
  };
}

function stepEdgeText({ from, to, kind, label }: StepEdge, steps: ReadonlyMap<string, PictureStep>): string {
  const [start, end] = [steps.get(from), steps.get(to)].map((step) => step && edgeEnds(step));
  return `${start?.tail ?? from} -> ${end?.head ?? to}${attributeList({
    ltail: start?.cluster,
    lhead: end?.cluster,
    label: label && quote(label),
    style: kind === "next" ? undefined : "dotted",
  })}`;
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
