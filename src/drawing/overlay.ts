import { appendTo, getOrCreate } from "../text/collections.js";
import { buildPicture, stateNodeId } from "./build-picture.js";
import { cropForLayout } from "./crop-picture.js";
import type { DrawingInput } from "./draw.js";
import { html } from "./html.js";
import { sourcesOf, type StateSources } from "./page-data.js";
import {
  type Mark,
  isStateNode,
  type Picture,
  type PictureEdge,
  type PictureNode,
  type PictureRun,
} from "./picture.js";

/** A page with two versions of a workflow drawn over each other: gone in red, new in green. */
export function drawOverlay(old: DrawingInput, now: DrawingInput): Promise<string> {
  const before = buildPicture(old.pack, old.facts, old.diagnostics ?? []);
  const after = buildPicture(now.pack, now.facts, now.diagnostics ?? []);
  const { picture, ids } = overlay(before, after);
  const sources: StateSources = new Map([
    ...[...sourcesOf(old.pack)].map(([id, source]) => [ids.get(id) ?? id, source] as const),
    // Where both have a state, the page shows the new one.
    ...sourcesOf(now.pack),
  ]);
  return html(cropForLayout(picture), sources);
}

/** All that is in either picture. Returns also the ids that the nodes and edges of the old one have in it. */
function overlay(
  old: Picture,
  now: Picture,
): { readonly picture: Picture; readonly ids: ReadonlyMap<string, string> } {
  const { nodes, ids } = overlayNodes(old, now);
  const { edges, edgeIds } = overlayEdges(old, now, ids);
  const runsBefore = now.runs.length;
  const findingsBefore = now.findings.length;
  const idOf = (id: string): string => ids.get(id) ?? id;
  const oldRun = (run: PictureRun): PictureRun => ({
    ...run,
    title: `${run.title}, old`,
    start: idOf(run.start),
    steps: run.steps.map((step) => ({
      ...step,
      forced: step.forced.map(idOf),
      to: idOf(step.to),
      edges: step.edges.flatMap((id) => edgeIds.get(id) ?? []),
    })),
  });
  const oldFindings = old.findings.map((finding) => ({
    ...finding,
    isOld: true as const,
    nodes: finding.nodes.map(idOf),
    run: finding.run === undefined ? undefined : finding.run + runsBefore,
  }));
  const attached = new Map<string, number[]>();
  for (const [index, finding] of oldFindings.entries())
    for (const id of finding.nodes) appendTo(attached, id, index + findingsBefore);
  const picture: Picture = {
    ...now,
    noun: "change",
    nodes: nodes.map((node) =>
      isStateNode(node) ? { ...node, findings: [...node.findings, ...(attached.get(node.id) ?? [])] } : node,
    ),
    edges,
    findings: [...now.findings, ...oldFindings],
    runs: [...now.runs, ...old.runs.map(oldRun)],
    compositions: [...now.compositions, ...old.compositions.map((each) => ({ ...each, id: `o${each.id}` }))],
    states: nodes.filter(isStateNode).length,
  };
  return { picture, ids };
}

/** Nodes of the same kind and name are one. */
function overlayNodes(old: Picture, now: Picture) {
  const keyOf = (node: PictureNode): string =>
    `${node.kind} ${node.kind === "start" && node.agent} ${node.name}`;
  const before = new Map(old.nodes.map((node) => [keyOf(node), node]));
  const after = new Map(now.nodes.map((node) => [keyOf(node), node]));
  const kept = now.nodes.map((node): PictureNode => {
    const other = before.get(keyOf(node));
    const mark = other === undefined ? "new" : isSameNode(other, node) ? undefined : "changed";
    return { ...node, mark };
  });
  const ids = new Map<string, string>();
  const gone: PictureNode[] = [];
  let index = now.states;
  for (const node of old.nodes) {
    const id = after.get(keyOf(node))?.id ?? (isStateNode(node) ? stateNodeId(index++) : `o${node.id}`);
    ids.set(node.id, id);
    if (after.has(keyOf(node))) continue;
    const composition = isStateNode(node) && node.composition;
    const own = composition
      ? { composition: { ...composition, id: composition.id && `o${composition.id}` } }
      : {};
    gone.push({
      ...node,
      ...own,
      id,
      mark: "gone",
      ...(isStateNode(node) && { findings: [] }),
    });
  }
  return { nodes: [...kept, ...gone], ids };
}

/** By what a box shows. */
function isSameNode(a: PictureNode, b: PictureNode): boolean {
  if (!isStateNode(a) || !isStateNode(b)) return a.kind === b.kind;
  const shown = [a, b].map(({ ends, guard, decider, composition, artifacts }) =>
    JSON.stringify([ends, guard, decider, composition?.name, artifacts]),
  );
  return shown[0] === shown[1];
}

/** Edges of the same kind between the same nodes are one; an event that only one version has gets a sign. */
function overlayEdges(old: Picture, now: Picture, ids: ReadonlyMap<string, string>) {
  const both = new Map<string, { old?: PictureEdge; now?: PictureEdge }>();
  const slot = ({ kind }: PictureEdge, from: string, to: string) =>
    getOrCreate(both, `${kind} ${from} ${to}`, () => ({}));
  for (const edge of now.edges) slot(edge, edge.from, edge.to).now = edge;
  for (const edge of old.edges) {
    const [from, to] = [ids.get(edge.from) ?? edge.from, ids.get(edge.to) ?? edge.to];
    slot(edge, from, to).old = { ...edge, from, to };
  }
  const edgeIds = new Map<string, string>();
  const edges = [...both.values()].flatMap(({ old: before, now: after }, index): readonly PictureEdge[] => {
    const edge = after ?? before;
    if (edge === undefined) return [];
    const id = after?.id ?? `e${now.edges.length + index}`;
    if (before !== undefined) edgeIds.set(before.id, id);
    const [was, is] = [new Set(before?.events), new Set(after?.events)];
    const events = [
      ...[...is].map((event) => (was.has(event) ? event : `+ ${event}`)),
      ...[...was].filter((event) => !is.has(event)).map((event) => `− ${event}`),
    ];
    return [{ ...edge, id, events, mark: edgeMark(before, after) }];
  });
  return { edges, edgeIds };
}

function edgeMark(before: PictureEdge | undefined, after: PictureEdge | undefined): Mark | undefined {
  if (before === undefined) return "new";
  if (after === undefined) return "gone";
  const had = new Set(before.events);
  const isSame = had.size === after.events.length && after.events.every((event) => had.has(event));
  return isSame ? undefined : "changed";
}
