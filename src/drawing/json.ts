import { formatJson } from "../text/escape.js";
import { isStateNode, type Picture, type PictureNode } from "./picture.js";

/** Never cropped, however large. */
export function json(picture: Picture): string {
  const { title, states, nodes, edges, findings, runs } = picture;
  const value = {
    schemaVersion: 1,
    title,
    states,
    nodes: nodes.map(nodeValue),
    edges: edges.map(({ id, kind, from, to, events, mark }) => ({
      id,
      kind,
      from,
      to,
      ...(kind === "event" && { events }),
      ...(mark !== undefined && { paint: mark }),
    })),
    findings,
    runs,
  };
  return formatJson(value);
}

function nodeValue(node: PictureNode): object {
  const { id, kind, name, mark } = node;
  const paint = mark === undefined ? {} : { paint: mark };
  if (node.kind === "start") return node.agent ? { id, kind, agent: name } : { id, kind };
  if (!isStateNode(node)) return { id, kind, name, ...paint };
  const { line, ends, guard, decider, artifacts, findings } = node;
  return {
    id,
    kind,
    name,
    line,
    ...(ends && { ends }),
    ...(guard !== undefined && { guard }),
    ...(decider !== undefined && { orchestration: decider }),
    ...(artifacts.length > 0 && { artifacts }),
    ...paint,
    ...(findings.length > 0 && { findings }),
  };
}
