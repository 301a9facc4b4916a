import type { MappingNode, Node } from "../document/node.js";
import { isOlderThan, type Spec, type SpecVersion } from "./spec.js";

export interface NewerField {
  readonly name: string;
  readonly since: string;
  readonly node: Node;
}

/** When each field came, by its path; `*` stands for every key or item. Outer fields come first. */
const fieldsBySince: readonly (readonly [since: SpecVersion, ...paths: string[]])[] = [
  ["1.1.0", "prompts/*/media"],
  ["1.2.0", "evals", "prompts/*/evals"],
  ["1.3.0", "workflow", "agents"],
  ["1.3.1", "skills", "workflow/states/*/skills"],
  [
    "1.4.0",
    "workflow/states/*/terminal",
    "workflow/states/*/max_visits",
    "workflow/states/*/on_max_visits",
    "workflow/states/*/artifacts",
    "workflow/engine/budget",
    "prompts/*/variables/*/binding",
    "prompts/*/validators/*/message",
    ...["threshold", "message", "when", "groups"].flatMap((name) => [
      `evals/*/${name}`,
      `prompts/*/evals/*/${name}`,
    ]),
  ],
  ["1.4.1", "agents/members/*/state"],
];

/** Fields that the pack's version does not know yet; what lies inside such a field is not listed again. */
export function* newerFields(root: MappingNode, spec: Spec): Iterable<NewerField> {
  const listed = new Set<Node>();
  for (const [since, ...paths] of fieldsBySince) {
    if (!isOlderThan(spec, since)) continue;
    for (const path of paths) {
      const segments = path.split("/");
      for (const node of nodesAt(root, segments)) {
        if (isInside(node, listed)) continue;
        listed.add(node);
        yield { name: segments.at(-1) ?? path, since: since.replace(/\.0$/, ""), node };
      }
    }
  }
}

function nodesAt(root: Node, segments: readonly string[]): readonly Node[] {
  let nodes: readonly Node[] = [root];
  for (const segment of segments) nodes = nodes.flatMap((node) => children(node, segment));
  return nodes;
}

function children(node: Node, segment: string): readonly Node[] {
  if (node.kind === "scalar") return [];
  if (segment === "*") return node.kind === "sequence" ? node.items : node.entries.map(({ value }) => value);
  const child = node.kind === "mapping" ? node.get(segment) : undefined;
  return child === undefined ? [] : [child];
}

function isInside(node: Node, outer: ReadonlySet<Node>): boolean {
  for (let current: Node | null = node; current !== null; current = current.parent) {
    if (outer.has(current)) return true;
  }
  return false;
}
