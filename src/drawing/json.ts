import { formatJson } from "../text/escape.js";
import type { CompositionStep, Picture, PictureNode } from "./picture.js";

/** Never cropped, however large. */
export function json({ title, states, nodes, edges, compositions, findings, runs }: Picture): string {
  return formatJson({
    schemaVersion: 1,
    title,
    states,
    nodes: nodes.map(nodeValue),
    edges: edges.map(({ id, kind, from, to, events, mark }) => {
      return { id, kind, from, to, events: kind === "event" ? events : undefined, paint: mark };
    }),
    compositions: unlessEmpty(
      compositions.map(({ id, name, line, steps, edges: between }) => {
        return { id, name, line, steps: steps.map(stepValue), edges: between };
      }),
    ),
    findings,
    runs,
  });
}

function stepValue({ dependsOn, isResult, branches, ...step }: CompositionStep): object {
  return {
    ...step,
    dependsOn: unlessEmpty(dependsOn),
    result: isResult || undefined,
    branches: unlessEmpty(branches.map(stepValue)),
  };
}

function nodeValue(node: PictureNode): object {
  const { id, kind, name, mark: paint } = node;
  if (kind === "start") return { id, kind, agent: node.agent ? name : undefined };
  if (kind === "ghost") return { id, kind, name, paint };
  const { line, guard, composition } = node;
  return {
    id,
    kind,
    name,
    line,
    ends: node.ends || undefined,
    guard,
    orchestration: composition === undefined ? node.decider : "composition",
    composition: composition?.name,
    artifacts: unlessEmpty(node.artifacts),
    paint,
    findings: unlessEmpty(node.findings),
  };
}

function unlessEmpty<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}
