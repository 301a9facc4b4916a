import { formatJson } from "../text/escape.js";
import { isStateNode, type Picture, type PictureNode } from "./picture.js";

/** Never cropped, however large. */
export function json({ title, states, nodes, edges, findings, runs }: Picture): string {
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
    findings,
    runs,
  });
}

function nodeValue(node: PictureNode): object {
  const { id, kind, name, mark } = node;
  if (node.kind === "start") return { id, kind, agent: node.agent ? name : undefined };
  if (!isStateNode(node)) return { id, kind, name, paint: mark };
  const { line, ends, guard, decider, artifacts, findings } = node;
  return {
    id,
    kind,
    name,
    line,
    ends: ends || undefined,
    guard,
    orchestration: decider,
    artifacts: artifacts.length > 0 ? artifacts : undefined,
    paint: mark,
    findings: findings.length > 0 ? findings : undefined,
  };
}
