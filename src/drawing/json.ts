import { formatJson } from "../text/escape.js";
import type { PictureComposition, PictureStep } from "./composition-picture.js";
import { isStateNode, type Picture, type PictureNode } from "./picture.js";

/** Never cropped, however large. */
export function json({ title, states, nodes, edges, compositions, findings, runs }: Picture): string {
  return formatJson({
    schemaVersion: 1,
    title,
    states,
    nodes: nodes.map(nodeValue),
    edges: edges.map(({ id, kind, from, to, events, mark }) => ({
      id,
      kind,
      from,
      to,
      events: kind === "event" ? events : undefined,
      paint: mark,
    })),
    compositions: compositions.length > 0 ? compositions.map(compositionValue) : undefined,
    findings,
    runs,
  });
}

function compositionValue({ id, name, line, steps, edges }: PictureComposition): object {
  return { id, name, line, steps: steps.map(stepValue), edges };
}

function stepValue({ dependsOn, isResult, branches, ...step }: PictureStep): object {
  return {
    ...step,
    dependsOn: dependsOn.length > 0 ? dependsOn : undefined,
    result: isResult || undefined,
    branches: branches.length > 0 ? branches.map(stepValue) : undefined,
  };
}

function nodeValue(node: PictureNode): object {
  const { id, kind, name, mark } = node;
  if (node.kind === "start") return { id, kind, agent: node.agent ? name : undefined };
  if (!isStateNode(node)) return { id, kind, name, paint: mark };
  const { line, ends, guard, decider, composition, artifacts, findings } = node;
  return {
    id,
    kind,
    name,
    line,
    ends: ends || undefined,
    guard,
    orchestration: composition === undefined ? decider : "composition",
    composition: composition?.name,
    artifacts: artifacts.length > 0 ? artifacts : undefined,
    paint: mark,
    findings: findings.length > 0 ? findings : undefined,
  };
}
