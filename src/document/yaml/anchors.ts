import { didYouMean } from "../../words/nearest-name.js";
import { TreeCopier } from "./copy-tree.js";
import type { Fault, Limits } from "../document.js";
import { MappingNode, type Node, ScalarNode, type Span } from "../node.js";
import { ParseError } from "../refusal.js";
import { quoteSource } from "../shown.js";

/** Of names that are misspelt everywhere, the first ones will do, and of each the first places. */
const maxUnknownAliases = 20;

interface Alias extends Span {
  readonly name: string;
}

export interface Anchor extends Alias {
  /** What it names: nothing while the collection is still open. */
  node: Node | undefined;
}

/** Where the name of an anchor stands in the text, if there is one. */
interface AnchorProperties {
  readonly anchorStart: number;
  readonly anchorEnd: number;
}

/** The anchors of a YAML document, and what aliases make of them. */
export class Anchors {
  /** Of anchors with the same name, the one that was written last. */
  private readonly byName = new Map<string, Anchor>();
  private readonly all: Anchor[] = [];
  /** Those that some alias stands for. */
  readonly aliased = new Set<Node>();
  /** Anchors that aliases miss, by their names: the file cannot be used, but reading goes on for more of them. */
  private readonly unknownByName = new Map<string, Fault>();
  private readonly copier: TreeCopier;

  constructor(limits: Limits) {
    this.copier = new TreeCopier(limits);
  }

  get unknownAliases(): Iterable<Fault> {
    return this.unknownByName.values();
  }

  add(text: string, { anchorStart, anchorEnd: end }: AnchorProperties, node?: Node): Anchor | undefined {
    if (anchorStart < 0) return undefined;
    const anchor = { name: text.slice(anchorStart, end), start: anchorStart - 1, end, node };
    this.all.push(anchor);
    this.byName.set(anchor.name, anchor);
    return anchor;
  }

  /** The one that names a value. */
  anchorOf(node: Node): Anchor | undefined {
    return this.all.find((anchor) => anchor.node === node);
  }

  /** Whether an alias of this name stands for a mapping or a list. */
  isCollection(name: string): boolean {
    const kind = this.byName.get(name)?.node?.kind;
    return kind === "mapping" || kind === "sequence";
  }

  /** A copy of the anchored value that stands at the alias, `depth` levels down. */
  copy(alias: Alias, depth: number): Node {
    const target = this.target(alias);
    return target === undefined
      ? new MappingNode(alias.start, alias.end, [])
      : this.copier.copy(target, alias, depth);
  }

  /** The anchored value where only a scalar will do: as a key. */
  scalarFor(alias: Alias): ScalarNode {
    const target = this.target(alias) ?? new ScalarNode(alias.start, alias.end, null);
    if (target.kind === "scalar") return target;
    const kind = target.kind === "mapping" ? "mapping" : "list";
    return throwAliasError(alias, `refers to a ${kind}, which cannot be a key.`);
  }

  private target(alias: Alias): Node | undefined {
    const anchor = this.byName.get(alias.name);
    if (anchor === undefined) this.addUnknown(alias);
    else if (anchor.node === undefined)
      return throwAliasError(alias, "is inside the value it refers to, which would never end.");
    else this.aliased.add(anchor.node);
    return anchor?.node;
  }

  private addUnknown(alias: Alias): void {
    const { name, start, end } = alias;
    const fault = this.unknownByName.get(name);
    if (fault !== undefined) {
      const { related = [] } = fault;
      const other = { at: { pointer: "", start, end }, message: "used here, too" };
      if (related.length < maxUnknownAliases) this.unknownByName.set(name, { ...fault, related: [...related, other] });
    } else if (this.unknownByName.size < maxUnknownAliases) {
      this.unknownByName.set(name, aliasError(alias, this.unknownReason(name)).fault);
    }
  }

  private unknownReason(name: string): string {
    const anchor = "&" + name;
    const closed = [...this.byName].filter(([, { node }]) => node !== undefined).map(([other]) => "&" + other);
    const claim = `has no anchor ${quoteSource(anchor)} before it`;
    const isName = /^[\p{L}\p{N}_.:/-]+$/u.test(name);
    return isName
      ? `${claim}.${didYouMean(anchor, closed)}`
      : `${claim}; put text that starts with "*" in quotes.`;
  }
}

function throwAliasError(alias: Alias, reason: string): never {
  throw aliasError(alias, reason);
}

function aliasError(alias: Alias, reason: string): ParseError {
  return ParseError.rejectionAt(alias, `The alias ${quoteSource("*" + alias.name)} ${reason}`);
}
