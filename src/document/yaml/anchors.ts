import type { ScalarEvent } from "js-yaml";
import type { Limits } from "../file-format.js";
import { didYouMean } from "../../text/names.js";
import { type Fault, nestedTooDeep, ParseError, quoteSource } from "../document.js";
import {
  childrenOf,
  type Entry,
  Key,
  MappingNode,
  type Node,
  ScalarNode,
  type ScalarValue,
  SequenceNode,
  type Span,
} from "../node.js";

/** Limits both the unknown names and the places reported for each. */
const maxUnknownAliases = 20;

interface Alias extends Span {
  readonly name: string;
}

type Properties = Pick<ScalarEvent, "anchorStart" | "anchorEnd">;

export class Anchors {
  private readonly byName = new Map<string, Node>();
  readonly aliased = new Set<Node>();
  /** Reading continues after an unknown alias, to find them all. */
  private readonly unknownByName = new Map<string, Fault>();
  private copied = 0;

  constructor(private readonly limits: Limits) {}

  get unknownAliases(): Iterable<Fault> {
    return this.unknownByName.values();
  }

  add(text: string, { anchorStart, anchorEnd }: Properties, node: Node): void {
    if (anchorStart >= 0) this.byName.set(text.slice(anchorStart, anchorEnd), node);
  }

  /** A copy of the anchored value, placed at the alias; its children keep the places where they are written. */
  copy(alias: Alias, depth: number): Node {
    const target = this.target(alias);
    if (target === undefined) return new MappingNode(alias.start, alias.end);
    const unfilled: (() => void)[] = [];
    const copy = this.copyNode(target, alias, alias, depth, unfilled);
    for (let fill = unfilled.pop(); fill !== undefined; fill = unfilled.pop()) fill();
    return copy;
  }

  scalarFor(alias: Alias): ScalarNode {
    const target = this.target(alias) ?? new ScalarNode(alias.start, alias.end, null);
    if (target.kind === "scalar") return target;
    const kind = target.kind === "mapping" ? "mapping" : "list";
    throw aliasError(alias, `refers to a ${kind}, which cannot be a key.`);
  }

  /** Copies one node; `unfilled` gets the work of copying its children, so that nothing recurses. */
  private copyNode(from: Node, at: Span, alias: Span, depth: number, unfilled: (() => void)[]): Node {
    const { maxAliasNodes, maxDepth } = this.limits;
    if (++this.copied > maxAliasNodes) {
      const message = `Aliases and merge keys add more than ${maxAliasNodes} values.`;
      throw ParseError.rejectionAt(alias, message, "maxAliasNodes");
    }
    const isAlias = at === alias;
    const { start, end } = at;
    if (from.kind === "scalar")
      return withOrigin(new ScalarNode(start, end, from.value, from.source), from, isAlias);
    if (depth >= maxDepth) throw nestedTooDeep(alias.start, maxDepth);
    const copy = from.kind === "mapping" ? new MappingNode(start, end) : new SequenceNode(start, end);
    copy.head = isAlias ? alias : from.head;
    unfilled.push(() => {
      for (const child of childrenOf(from)) {
        if (copy.kind === "mapping" && child.key instanceof Key) copy.nextKey = copyKey(child.key);
        copy.add(this.copyNode(child, child, alias, depth + 1, unfilled), []);
      }
    });
    return withOrigin(copy, from, isAlias);
  }

  private target(alias: Alias): Node | undefined {
    const node = this.byName.get(alias.name);
    if (node === undefined) this.addUnknown(alias);
    else if (isOpen(node))
      throw aliasError(alias, "is inside the value it refers to, which would never end.");
    else this.aliased.add(node);
    return node;
  }

  private addUnknown(alias: Alias): void {
    const { name, start, end } = alias;
    const fault = this.unknownByName.get(name);
    if (fault !== undefined) {
      const { related = [] } = fault;
      const other = { at: { pointer: "", start, end }, message: "also used here" };
      if (related.length < maxUnknownAliases)
        this.unknownByName.set(name, { ...fault, related: [...related, other] });
    } else if (this.unknownByName.size < maxUnknownAliases) {
      this.unknownByName.set(name, aliasError(alias, this.unknownReason(name)).fault);
    }
  }

  private unknownReason(name: string): string {
    const anchor = "&" + name;
    const closed = [...this.byName].flatMap(([other, node]) => (isOpen(node) ? [] : "&" + other));
    const claim = `has no anchor ${quoteSource(anchor)} before it`;
    const isName = /^[\p{L}\p{N}_.:/-]+$/u.test(name);
    return isName
      ? `${claim}.${didYouMean(anchor, closed)}`
      : `${claim}; put text that starts with "*" in quotes.`;
  }
}

function isOpen({ end }: Node): boolean {
  return end < 0;
}

function aliasError(alias: Alias, reason: string): ParseError {
  return ParseError.rejectionAt(alias, `The alias ${quoteSource("*" + alias.name)} ${reason}`);
}

/** The original may contain aliases itself, which keep their own origin. */
function withOrigin(copy: Node, from: Node, isAlias: boolean): Node {
  const origin = from.origin ?? (isAlias ? from : undefined);
  return origin === undefined ? copy : Object.assign(copy, { origin });
}

function copyKey({ text, start, end, first }: Key): Key {
  const key = new Key(text, start, end);
  if (first !== undefined) key.first = first;
  return key;
}

/** Replaces merge keys by the entries they add. The mapping's own keys win, then the earlier merged mapping. */
export function mergeEntries(read: readonly Entry[], isMerge: (entry: Entry) => boolean): Entry[] {
  const names = new Set(read.flatMap((entry) => (isMerge(entry) ? [] : entry.key.text)));
  return read.flatMap((entry) => {
    if (!isMerge(entry)) return entry;
    return mergedEntries(entry).filter(({ key }) => {
      const isNew = !names.has(key.text);
      names.add(key.text);
      return isNew;
    });
  });
}

function mergedEntries({ key, value }: Entry): readonly Entry[] {
  const sources: readonly Node[] = value.kind === "sequence" ? value.items : [value];
  return sources.flatMap((source) => {
    if (source.kind !== "mapping") throw invalidMergeError(key, source);
    return source.entries;
  });
}

const mergeAdvice = 'write an alias such as "*base", or put "<<" in quotes if it is a key like any other';

function invalidMergeError(key: Span, source: ScalarNode | SequenceNode): ParseError {
  const found = source.kind === "sequence" ? "a list" : quoteScalar(source.value);
  const message = `The merge key "<<" takes a mapping or a list of mappings, found ${found}; ${mergeAdvice}.`;
  return ParseError.rejectionAt(key, message);
}

function quoteScalar(value: ScalarValue): string {
  if (value === null) return "nothing (null)";
  return typeof value === "string" ? quoteSource(value) : String(value);
}
