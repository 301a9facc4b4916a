import type { Limits } from "../document.js";
import { Key, MappingNode, ScalarNode, SequenceNode, type Entry, type Node, type Span } from "../node.js";
import { Refusal, tooDeep } from "../refusal.js";

interface Pair {
  readonly from: Node;
  readonly children: Node[] | Entry[];
  readonly to: Node;
  readonly depth: number;
}

/** Copies what aliases stand for, and keeps count of it. */
export class TreeCopier {
  private copied = 0;

  constructor(private readonly limits: Limits) {}

  /** The copy stands at the alias, which is `depth` levels down; what it holds stays where it is written. */
  copy(root: Node, alias: Span, depth: number): Node {
    const open: Pair[] = [];
    const copy = this.shell(root, alias, alias, depth, open);
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) this.fill(pair, alias, open);
    return copy;
  }

  private fill(pair: Pair, alias: Span, open: Pair[]): void {
    const { from, to, depth } = pair;
    if (from.kind === "mapping" && to.kind === "mapping") {
      const entries = pair.children as Entry[];
      for (const entry of from.entries) {
        const key = new Key(entry.key.text, entry.key.start, entry.key.end);
        const value = this.shell(entry.value, entry.value, alias, depth, open);
        key.value = value;
        if (entry.key.isDoubled) key.isDoubled = true;
        value.parent = to;
        value.key = key;
        entries.push({ key, value });
      }
    } else if (from.kind === "sequence" && to.kind === "sequence") {
      const items = pair.children as Node[];
      for (const item of from.items) {
        const value = this.shell(item, item, alias, depth, open);
        value.parent = to;
        value.key = items.length;
        items.push(value);
      }
    }
  }

  /** The copy of a node, its children still to come. */
  private shell(from: Node, at: Span, alias: Span, depth: number, open: Pair[]): Node {
    const { maxAliasNodes, maxDepth } = this.limits;
    if (++this.copied > maxAliasNodes) {
      const message = `Aliases and merge keys add more than ${maxAliasNodes} values.`;
      throw Refusal.ofSoundText(alias, message, "maxAliasNodes");
    }
    if (from.kind === "scalar") return new ScalarNode(at.start, at.end, from.value, from.source);
    if (depth >= maxDepth) throw tooDeep(alias.start, maxDepth);
    const head = at === alias ? alias : from.head;
    if (from.kind === "mapping") {
      const children: Entry[] = [];
      const to = new MappingNode(at.start, at.end, children, head);
      open.push({ from, children, to, depth: depth + 1 });
      return to;
    }
    const children: Node[] = [];
    const to = new SequenceNode(at.start, at.end, children, head);
    open.push({ from, children, to, depth: depth + 1 });
    return to;
  }
}
