import { appendTo } from "../text/collections.js";
import { cropWithSteps } from "./crop-picture.js";
import { boxRows, eventLines, rowText, shortName, stepRows } from "./labels.js";
import { allMarks, cropNote, isStateNode, type Mark, marks } from "./picture.js";
import type { CompositionStep, Picture, PictureComposition, PictureEdge, PictureNode } from "./picture.js";

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
    ...edges.map((edge) => {
      const label = eventLines(edge).map(escapeLabel).join("<br/>");
      return `  ${edgeText(edge.from, edge.to, edge.kind !== "forced", label)}`;
    }),
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
  const { id, kind } = node;
  if (kind === "start") return node.agent ? `${id}>"${escapeLabel(shortName(node.name))}"]` : `${id}((" "))`;
  const label = labelOf(boxRows(node).map(rowText));
  if (kind === "ghost") return `${id}[${label}]`;
  if (node.ends) return `${id}([${label}])`;
  if (node.composition !== undefined) return `${id}[[${label}]]`;
  return node.decider === undefined ? `${id}(${label})` : `${id}[/${label}/]`;
}

function labelOf(rows: readonly string[], separator = "<br/>"): string {
  return `"${rows.map(escapeLabel).join(separator)}"`;
}

/** After the edges of the workflow, whose styles are numbered from the first edge. */
function compositionLines({ id, name, steps, edges }: PictureComposition, above: string): readonly string[] {
  return [
    `  subgraph ${id}["composition ${escapeLabel(shortName(name))}"]`,
    "    direction TB",
    ...steps.flatMap(stepLines).map((line) => `    ${line}`),
    ...edges.map(({ from, to, kind, label }) => `    ${edgeText(from, to, kind === "next", label)}`),
    "  end",
    // An invisible edge. Boxes beside the workflow, or linked to the states that run them, would hide other edges.
    `  ${above} ~~~ ${id}`,
  ];
}

function lastState({ nodes }: Picture): string {
  const states = nodes.filter(isStateNode);
  return (states.findLast(({ ends }) => ends) ?? states.at(-1))?.id ?? "";
}

function stepLines(step: CompositionStep): readonly string[] {
  if (step.branches.length === 0) return [stepBox(step)];
  // Mermaid leaves room for one line.
  const label = labelOf(stepRows(step), ", ");
  return [`subgraph ${step.id}[${label}]`, ...step.branches.map((branch) => `  ${stepBox(branch)}`), "end"];
}

function stepBox(step: CompositionStep): string {
  const label = labelOf(stepRows(step));
  return step.kind === "branch" ? `${step.id}{{${label}}}` : `${step.id}(${label})`;
}

function edgeText(from: string, to: string, isSolid: boolean, label = ""): string {
  return `${from} ${isSolid ? "-->" : "-.->"}${label === "" ? "" : `|"${label}"|`} ${to}`;
}

const noteStyle = "fill:#ddf4ff,stroke:#0969da,color:#1f2328";
const kindStyles = {
  start: "fill:#59636e,stroke:#59636e,color:#59636e",
  agent: noteStyle,
  ends: "stroke-width:3px",
  ghost: "stroke-dasharray:4 3",
};

function markStyle(mark: Mark): string {
  const [line, fill] = marks[mark].light;
  const rest: { readonly [mark in Mark]?: string } = {
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
  const classes = styles.flatMap(([name, style]) => {
    const ids = members.get(name);
    return ids === undefined ? [] : [`  classDef ${name} ${style}`, `  class ${ids.join(",")} ${name}`];
  });
  return cropNote(picture) === undefined ? classes : [`  classDef note ${noteStyle}`, ...classes];
}

function edgeStyles(edges: readonly PictureEdge[]): readonly string[] {
  return allMarks.flatMap((mark) => {
    const indexes = edges.flatMap((edge, index) => (edge.mark === mark ? index : []));
    if (indexes.length === 0) return [];
    return `  linkStyle ${indexes.join(",")} stroke:${marks[mark].light[0]},stroke-width:2px`;
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
