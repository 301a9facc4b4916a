import { childrenOf, type MappingNode, type Node } from "../document/node.js";
import { places } from "../schema/pack-places.js";
import { specVersions } from "../words/spec-versions.js";
import { isOlderThan, type Spec } from "./spec.js";

export interface NewerField {
  readonly name: string;
  readonly since: string;
  /** The version that knows it and all that lies inside it. */
  readonly requiredVersion: string;
  readonly node: Node;
}

/** The fields that came later, in the order of versions; outer fields come first. */
const dated = places
  .flatMap(({ path, since }) => {
    const version = specVersions.find((each) => each === since);
    return version === undefined ? [] : [{ version, path }];
  })
  .sort((a, b) => specVersions.indexOf(a.version) - specVersions.indexOf(b.version));

/** Fields that the pack's version does not know yet; what lies inside such a field is not listed again. */
export function newerFields(root: MappingNode, spec: Spec): Iterable<NewerField> {
  const listed = new Map<Node, NewerField>();
  for (const { version, path } of dated) {
    if (!isOlderThan(spec, version)) continue;
    const since = version.replace(/\.0$/, "");
    for (const node of nodesAt(root, path)) {
      const outer = enclosingField(node, listed);
      if (outer === undefined) listed.set(node, { name: path.at(-1) ?? "", since, requiredVersion: since, node });
      // Later versions come later.
      else listed.set(outer.node, { ...outer, requiredVersion: since });
    }
  }
  return listed.values();
}

function nodesAt(root: Node, segments: readonly string[]): readonly Node[] {
  let nodes: readonly Node[] = [root];
  for (const segment of segments) nodes = nodes.flatMap((node) => childrenNamed(node, segment));
  return nodes;
}

function childrenNamed(node: Node, segment: string): readonly Node[] {
  if (segment === "*") return childrenOf(node);
  const child = node.kind === "mapping" ? node.get(segment) : undefined;
  return child === undefined ? [] : [child];
}

function enclosingField(node: Node, listed: ReadonlyMap<Node, NewerField>): NewerField | undefined {
  for (let current: Node | null = node; current !== null; current = current.parent) {
    const field = listed.get(current);
    if (field !== undefined) return field;
  }
  return undefined;
}
