import type { Limits } from "../document.js";
import { Key, MappingNode, ScalarNode, SequenceNode, type Entry, type Node, type Span } from "../node.js";
import { ParseError, nestedTooDeep } from "../refusal.js";

/** Copies what aliases stand for, and keeps count of it. */
export class TreeCopier {
  private copied = 0;

  constructor(private readonly limits: Limits) {}

  /** The copy stands at the alias, which is `depth` levels down; what it holds stays where it is written. */
  copy(root: Node, alias: Span, depth: number): Node {
    const unfilled: (() => void)[] = [];
    const copy = this.copyNode(root, alias, alias, depth, unfilled);
    for (let fill = unfilled.pop(); fill !== undefined; fill = unfilled.pop()) fill();
    return copy;
  }

  /** The copy of a node; what fills it with those of its children is put down for later. */
  private copyNode(from: Node, at: Span, alias: Span, depth: number, unfilled: (() => void)[]): Node {
    const { maxAliasNodes, maxDepth } = this.limits;
    if (++this.copied > maxAliasNodes) {
      const message = `Aliases and merge keys add more than ${maxAliasNodes} values.`;
      throw ParseError.rejectionAt(alias, message, "maxAliasNodes");
    }
    const isAlias = at === alias;
    if (from.kind === "scalar")
      return withOrigin(new ScalarNode(at.start, at.end, from.value, from.source), from, isAlias);
    if (depth >= maxDepth) throw nestedTooDeep(alias.start, maxDepth);
    const head = isAlias ? alias : from.head;
    const child = (node: Node): Node => this.copyNode(node, node, alias, depth + 1, unfilled);
    if (from.kind === "mapping") {
      const entries: Entry[] = [];
      const to = withOrigin(new MappingNode(at.start, at.end, entries, head), from, isAlias);
      unfilled.push(() => {
        for (const { key, value } of from.entries) entries.push(copyEntry(to, key, child(value)));
      });
      return to;
    }
    const items: Node[] = [];
    const to = withOrigin(new SequenceNode(at.start, at.end, items, head), from, isAlias);
    unfilled.push(() => {
      for (const item of from.items) {
        const value = child(item);
        value.parent = to;
        value.key = items.length;
        items.push(value);
      }
    });
    return to;
  }
}

/** What is copied may hold aliases itself. */
function withOrigin<Kind extends Node>(copy: Kind, from: Kind, isAlias: boolean): Kind {
  const origin = from.origin ?? (isAlias ? from : undefined);
  if (origin !== undefined) copy.origin = origin;
  return copy;
}

function copyEntry(parent: MappingNode, { text, start, end, isDuplicate }: Key, value: Node): Entry {
  const key = new Key(text, start, end);
  if (isDuplicate) key.isDuplicate = true;
  key.value = value;
  value.parent = parent;
  value.key = key;
  return { key, value };
}
