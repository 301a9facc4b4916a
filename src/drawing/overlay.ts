import { appendTo, getOrCreate } from "../text/collections.js";
import { buildPicture, type DrawingInput, stateNodeId } from "./build-picture.js";
import { cropForLayout } from "./crop-picture.js";
import { html } from "./html.js";
import { isStateNode, type Mark, type Picture, type PictureEdge, type PictureNode } from "./picture.js";

/** A page with two versions of a workflow drawn over each other: gone in red, new in green. */
export function drawOverlay(old: DrawingInput, now: DrawingInput): Promise<string> {
  return html(cropForLayout(overlay(buildPicture(old), buildPicture(now))));
}

/** Nodes of the same kind and name are one. */
function nodeIds(old: Picture, now: Picture): (id: string) => string {
  const known = new Map(now.nodes.map((node) => [keyOf(node), node.id]));
  let index = now.states;
  const ids = new Map(
    old.nodes.map((node) => {
      const free = (): string => (isStateNode(node) ? stateNodeId(index++) : `o${node.id}`);
      return [node.id, known.get(keyOf(node)) ?? free()];
    }),
  );
  return (id) => ids.get(id) ?? id;
}

function keyOf(node: PictureNode): string {
  return `${node.kind} ${node.kind === "start" && node.agent} ${node.name}`;
}

function overlay(old: Picture, now: Picture): Picture {
  const idOf = nodeIds(old, now);
  const { edges, edgeIds } = overlayEdges(old, now, idOf);
  const oldFindings = old.findings.map((finding) => ({
    ...finding,
    isOld: true as const,
    nodes: finding.nodes.map(idOf),
    run: finding.run === undefined ? undefined : finding.run + now.runs.length,
  }));
  const oldRuns = old.runs.map((run) => ({
    ...run,
    title: `${run.title}, old`,
    start: idOf(run.start),
    steps: run.steps.map((step) => ({
      ...step,
      forced: step.forced.map(idOf),
      to: idOf(step.to),
      edges: step.edges.flatMap((id) => edgeIds.get(id) ?? []),
    })),
  }));
  const attached = new Map<string, number[]>();
  for (const [index, finding] of oldFindings.entries())
    for (const id of finding.nodes) appendTo(attached, id, now.findings.length + index);
  const nodes = overlayNodes(old, now, idOf);
  return {
    ...now,
    noun: "change",
    nodes: nodes.map((node) =>
      isStateNode(node) ? { ...node, findings: [...node.findings, ...(attached.get(node.id) ?? [])] } : node,
    ),
    edges,
    findings: [...now.findings, ...oldFindings],
    runs: [...now.runs, ...oldRuns],
    compositions: [...now.compositions, ...old.compositions.map((each) => ({ ...each, id: `o${each.id}` }))],
    states: nodes.filter(isStateNode).length,
    // Where both have a state, the page shows the new one.
    sources: new Map([...[...old.sources].map(([id, at]) => [idOf(id), at] as const), ...now.sources]),
  };
}

function overlayNodes(old: Picture, now: Picture, idOf: (id: string) => string): readonly PictureNode[] {
  const before = new Map(old.nodes.map((node) => [idOf(node.id), node]));
  const kept = now.nodes.map((node): PictureNode => {
    const other = before.get(node.id);
    before.delete(node.id);
    const mark = other === undefined ? "new" : looksOf(other) === looksOf(node) ? undefined : "changed";
    return { ...node, mark };
  });
  const gone = [...before].map(([id, node]): PictureNode => {
    if (!isStateNode(node)) return { ...node, id, mark: "gone" };
    const composition = node.composition && {
      ...node.composition,
      id: node.composition.id && `o${node.composition.id}`,
    };
    return { ...node, id, mark: "gone", composition, findings: [] };
  });
  return [...kept, ...gone];
}

function looksOf(node: PictureNode): string {
  if (!isStateNode(node)) return "";
  return JSON.stringify([node.ends, node.guard, node.decider, node.composition?.name, node.artifacts]);
}

/** Edges of the same kind between the same nodes are one; an event that only one version has gets a sign. */
function overlayEdges(old: Picture, now: Picture, idOf: (id: string) => string) {
  const both = new Map<string, { old?: PictureEdge; now?: PictureEdge }>();
  const slot = ({ kind, from, to }: PictureEdge) => getOrCreate(both, `${kind} ${from} ${to}`, () => ({}));
  for (const edge of now.edges) slot(edge).now = edge;
  for (const each of old.edges) {
    const edge = { ...each, from: idOf(each.from), to: idOf(each.to) };
    slot(edge).old = edge;
  }
  const edgeIds = new Map<string, string>();
  const edges = [...both.values()].flatMap(({ old: before, now: after }, index): readonly PictureEdge[] => {
    const edge = after ?? before;
    if (edge === undefined) return [];
    const id = after?.id ?? `e${now.edges.length + index}`;
    if (before !== undefined) edgeIds.set(before.id, id);
    const [was, is] = [new Set(before?.events), new Set(after?.events)];
    const signed = [
      ...[...is].map((event) => (was.has(event) ? event : `+ ${event}`)),
      ...[...was].filter((event) => !is.has(event)).map((event) => `− ${event}`),
    ];
    const isSame = was.size === is.size && [...is].every((event) => was.has(event));
    const mark: Mark | undefined = !before ? "new" : !after ? "gone" : isSame ? undefined : "changed";
    return [{ ...edge, id, events: signed, mark }];
  });
  return { edges, edgeIds };
}
