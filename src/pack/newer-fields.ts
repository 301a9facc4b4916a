import { childrenOf, type MappingNode, type Node } from "../document/node.js";
import type { SpecVersion } from "../words/spec-versions.js";
import { isOlderThan, type Spec } from "./spec.js";

export interface NewerField {
  readonly name: string;
  readonly since: string;
  /** The version that knows it and all that lies inside it. */
  readonly pin: string;
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
export function newerFields(root: MappingNode, spec: Spec): Iterable<NewerField> {
  const listed = new Map<Node, NewerField>();
  for (const [version, ...paths] of fieldsBySince) {
    if (!isOlderThan(spec, version)) continue;
    const since = version.replace(/\.0$/, "");
    for (const path of paths) {
      const segments = path.split("/");
      for (const node of nodesAt(root, segments)) {
        const outer = outerOf(node, listed);
        if (outer === undefined) listed.set(node, { name: segments.at(-1) ?? path, since, pin: since, node });
        // Versions come in their order.
        else listed.set(outer.node, { ...outer, pin: since });
      }
    }
  }
  return listed.values();
}

function nodesAt(root: Node, segments: readonly string[]): readonly Node[] {
  let nodes: readonly Node[] = [root];
  for (const segment of segments) nodes = nodes.flatMap((node) => nodesNamed(node, segment));
  return nodes;
}

function nodesNamed(node: Node, segment: string): readonly Node[] {
  if (segment === "*") return childrenOf(node);
  const child = node.kind === "mapping" ? node.get(segment) : undefined;
  return child === undefined ? [] : [child];
}

function outerOf(node: Node, listed: ReadonlyMap<Node, NewerField>): NewerField | undefined {
  for (let current: Node | null = node; current !== null; current = current.parent) {
    const field = listed.get(current);
    if (field !== undefined) return field;
  }
  return undefined;
}
