import { appendTo } from "../text/collections.js";
import type { PictureComposition, PictureStep, StepEdge } from "./composition-picture.js";
import { cropWithSteps } from "./crop-picture.js";
import { eventLines, rowText, shortName, stateRows, stepRow } from "./labels.js";
import {
  cropNote,
  isStateNode,
  type Mark,
  markColors,
  allMarks,
  type Picture,
  type PictureEdge,
  type PictureNode,
} from "./picture.js";

/** Mermaid rejects more than 500 edges and texts of more than 50,000 characters. */
export function cropForMermaid(picture: Picture): Picture {
  const fits = (part: Picture): boolean => mermaid(part).length < 50_000;
  return cropWithSteps(picture, { states: 1_000, edges: 500, fits });
}

export function mermaid(picture: Picture): string {
  const note = cropNote(picture);
  const edges = drawableEdges(picture);
  const above = lastState(picture);
  const lines = [
    `flowchart ${picture.direction === "lr" ? "LR" : "TD"}`,
    ...(note === undefined ? [] : [`  note["${escapeLabel(note)}"]:::note`]),
    ...picture.nodes.map((node) => `  ${nodeText(node)}`),
    ...edges.map((edge) => `  ${edgeText(edge)}`),
    ...picture.compositions.flatMap((composition) => compositionLines(composition, above)),
    ...nodeClasses(picture),
    ...edgeStyles(edges),
  ];
  return lines.join("\n") + "\n";
}

/** Mermaid draws only one loop at a node, so an event's loop hides a forced exit to the node itself. */
function drawableEdges({ edges }: Picture): readonly PictureEdge[] {
  const withEventLoop = new Set(
    edges.flatMap(({ kind, from, to }) => (kind === "event" && from === to ? from : [])),
  );
  return edges.filter(({ kind, from, to }) => kind !== "forced" || from !== to || !withEventLoop.has(from));
}

function nodeText(node: PictureNode): string {
  const { id } = node;
  if (node.kind === "start")
    return node.agent ? `${id}>"${escapeLabel(shortName(node.name))}"]` : `${id}((" "))`;
  if (node.kind === "ghost") return `${id}["${escapeLabel(shortName(node.name))}<br/>no such state"]`;
  const rows = [shortName(node.name), ...stateRows(node).map(rowText)];
  const label = `"${rows.map(escapeLabel).join("<br/>")}"`;
  if (node.ends) return `${id}([${label}])`;
  if (node.composition !== undefined) return `${id}[[${label}]]`;
  return node.decider === undefined ? `${id}(${label})` : `${id}[/${label}/]`;
}

/** After the edges of the workflow, whose styles are numbered from the first edge. */
function compositionLines({ id, name, steps, edges }: PictureComposition, above: string): readonly string[] {
  return [
    `  subgraph ${id}["composition ${escapeLabel(shortName(name))}"]`,
    "    direction TB",
    ...steps.flatMap(stepLines).map((line) => `    ${line}`),
    ...edges.map((edge) => `    ${stepEdgeText(edge)}`),
    "  end",
    // An invisible edge. Boxes beside the workflow, or linked to the states that run them, would hide other edges.
    `  ${above} ~~~ ${id}`,
  ];
}

/** A state near the bottom. */
function lastState({ nodes }: Picture): string {
  const states = nodes.filter(isStateNode);
  return (states.findLast(({ ends }) => ends) ?? states.at(-1))?.id ?? "";
}

function stepLines(step: PictureStep): readonly string[] {
  const { id, name, kind, isResult, branches } = step;
  const rows = [shortName(name), stepRow(step), ...(isResult ? ["result"] : [])].map(escapeLabel);
  if (branches.length === 0) {
    const label = `"${rows.join("<br/>")}"`;
    return [kind === "branch" ? `${id}{{${label}}}` : `${id}(${label})`];
  }
  // Mermaid leaves room for one line.
  return [
    `subgraph ${id}["${rows.join(", ")}"]`,
    ...branches.map((branch) => `  ${stepLines({ ...branch, branches: [] }).join("")}`),
    "end",
  ];
}

function stepEdgeText({ from, to, kind, label }: StepEdge): string {
  return `${from} ${kind === "next" ? "-->" : "-.->"}${label === undefined ? "" : `|"${label}"|`} ${to}`;
}

function edgeText(edge: PictureEdge): string {
  const arrow = edge.kind === "forced" ? "-.->" : "-->";
  const label = eventLines(edge).map(escapeLabel).join("<br/>");
  return `${edge.from} ${arrow}${label === "" ? "" : `|"${label}"|`} ${edge.to}`;
}

const noteStyle = "fill:#ddf4ff,stroke:#0969da,color:#1f2328";
const kindStyles = {
  start: "fill:#59636e,stroke:#59636e,color:#59636e",
  agent: noteStyle,
  ends: "stroke-width:3px",
  ghost: "stroke-dasharray:4 3",
};

function markStyle(mark: Mark): string {
  const { fill, line } = markColors[mark];
  const rest: Partial<Record<Mark, string>> = {
    missing: `stroke-dasharray:4 3,color:${line}`,
    unreachable: "color:#59636e",
  };
  return `fill:${fill},stroke:${line},${rest[mark] ?? "stroke-width:2px,color:#1f2328"}`;
}

function nodeClasses(picture: Picture): readonly string[] {
  const members = new Map<string, string[]>();
  for (const node of picture.nodes) {
    if (node.kind === "start") appendTo(members, node.agent ? "agent" : "start", node.id);
    else if (node.kind === "ghost") appendTo(members, "ghost", node.id);
    else if (node.ends) appendTo(members, "ends", node.id);
    if (node.mark !== undefined) appendTo(members, node.mark, node.id);
  }
  const styles = [...Object.entries(kindStyles), ...allMarks.map((mark) => [mark, markStyle(mark)] as const)];
  return [
    ...(cropNote(picture) === undefined ? [] : [`  classDef note ${noteStyle}`]),
    ...styles.flatMap(([name, style]) => {
      const ids = members.get(name);
      return ids === undefined ? [] : [`  classDef ${name} ${style}`, `  class ${ids.join(",")} ${name}`];
    }),
  ];
}

function edgeStyles(edges: readonly PictureEdge[]): readonly string[] {
  return allMarks.flatMap((mark) => {
    const indexes = edges.flatMap((edge, index) => (edge.mark === mark ? index : []));
    if (indexes.length === 0) return [];
    return `  linkStyle ${indexes.join(",")} stroke:${markColors[mark].line},stroke-width:2px`;
  });
}

/** Everything except plain words: Mermaid syntax, Markdown, icon names, and spaces that would collapse. */
const unsafeCharacters = /[^\p{L}\p{N}\p{M} _,▤⇒…-]|(?<![\p{L}\p{N}])[_-]|[_-](?![\p{L}\p{N}])|(?<= ) /gu;
/** Mermaid encodes characters internally as `ﬂ°°60¶ß`, so these would be decoded. */
const internalCharacterCode = /ﬂ(?=°)|¶(?=ß)/gu;

/** Mermaid decodes `#46;` after parsing, so an encoded character is never syntax. */
function escapeLabel(text: string): string {
  return text
    .replace(internalCharacterCode, "$&\u200c")
    .replace(unsafeCharacters, (character) => `#${character.codePointAt(0) ?? 0};`);
}
