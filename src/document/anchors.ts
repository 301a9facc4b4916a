import { TreeCopier } from "./copy-tree.js";
import type { Limits } from "./document.js";
import type { Node, ScalarNode, Span } from "./node.js";
import { Refusal, shown } from "./refusal.js";

interface Alias extends Span {
  readonly name: string;
}

/** The anchors of a YAML document, and what aliases make of them. */
export class Anchors {
  /** Nothing while the anchored collection is still open. */
  private readonly nodes = new Map<string, Node | undefined>();
  /** Those that some alias stands for. */
  readonly repeated = new Set<Node>();
  private readonly copier: TreeCopier;

  constructor(limits: Limits) {
    this.copier = new TreeCopier(limits);
  }

  set(name: string, node: Node | undefined): void {
    this.nodes.set(name, node);
  }

  /** A copy of the anchored value that stands at the alias, `depth` levels down. */
  copy(alias: Alias, depth: number): Node {
    return this.copier.copy(this.target(alias), alias, depth);
  }

  /** The anchored value where only a scalar will do: as a key. */
  scalar(alias: Alias): ScalarNode {
    const target = this.target(alias);
    if (target.kind === "scalar") return target;
    const kind = target.kind === "mapping" ? "mapping" : "list";
    return refuse(alias, `stands for a ${kind}, which cannot be a key`);
  }

  private target(alias: Alias): Node {
    const node = this.nodes.get(alias.name);
    if (node !== undefined) {
      this.repeated.add(node);
      return node;
    }
    if (this.nodes.has(alias.name))
      return refuse(alias, "stands inside the value it repeats, which would never end");
    return refuse(alias, `has no anchor ${shown("&" + alias.name)} before it`);
  }
}

function refuse(alias: Alias, reason: string): never {
  throw new Refusal(alias.start, alias.end, `The alias ${shown("*" + alias.name)} ${reason}.`, false);
}
