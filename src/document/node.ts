import type { Located, Place, Span } from "../diagnostic.js";

export type { Span };

/** The tree of a file. Only the readers in this folder build it. */
export type Node = MappingNode | SequenceNode | ScalarNode;

export type ScalarValue = string | number | boolean | null;

export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded" | "json";

abstract class BaseNode implements Place {
  parent: MappingNode | SequenceNode | null = null;
  /** The key in a mapping, the index in a sequence, null at the root. */
  key: Key | number | null = null;
  /** For a copy made by an alias, the anchored value. Rare, so not allocated on every node. */
  declare origin?: this;

  constructor(
    readonly start: number,
    /** -1 for a collection that is still being read. */
    public end = -1,
  ) {}

  get pointer(): string {
    return pointerTo(this);
  }
}

/** RFC 6901. */
function pointerTo(value: BaseNode): string {
  const segments: string[] = [];
  for (let node: BaseNode | null = value; node !== null && node.key !== null; node = node.parent)
    segments.push(`/${typeof node.key === "number" ? node.key : escapeSegment(node.key.text)}`);
  return segments.reverse().join("");
}

/** The name of an entry. Its pointer is the entry's. */
export class Key implements Located {
  value: Node | null = null;
  /** The first key of the same name in its mapping. Rare, so not allocated on every key. */
  declare first?: Key;

  constructor(
    readonly text: string,
    readonly start: number,
    readonly end: number,
  ) {}

  get pointer(): string {
    return this.value === null ? "" : this.value.pointer;
  }

  get isDuplicate(): boolean {
    return this.first !== undefined;
  }
}

export interface Entry {
  readonly key: Key;
  readonly value: Node;
}

export interface DuplicateKey {
  readonly first: Key;
  readonly second: Key;
}

abstract class CollectionNode extends BaseNode {
  private explicitHead: Span | undefined;

  /** Where to report a collection that has no key: its opening bracket by default. */
  get head(): Span {
    return this.explicitHead ?? { start: this.start, end: this.start + 1 };
  }

  set head(head: Span) {
    this.explicitHead = head;
  }

  close(end: number): this {
    this.end = end;
    return this;
  }
}

/** A linear search is as fast for this few entries, and an index would cost memory in every small mapping. */
const maxUnindexedEntries = 12;

export class MappingNode extends CollectionNode {
  readonly kind = "mapping";
  /** While the mapping is being read: the key whose value comes next. */
  nextKey: Key | null = null;
  private list: Entry[] = [];
  private indexes: Map<string, number> | undefined;

  /** With the last value of a repeated key, as in `JSON.parse`. */
  get entries(): readonly Entry[] {
    return this.list;
  }

  entry(name: string): Entry | undefined {
    return this.list[this.indexOf(name)];
  }

  get(name: string): Node | undefined {
    return this.entry(name)?.value;
  }

  add(value: Node, duplicates: DuplicateKey[]): void {
    const key = this.nextKey;
    if (key === null) return;
    this.nextKey = null;
    key.value = value;
    value.key = key;
    value.parent = this;
    const index = this.indexOf(key.text);
    const old = this.list[index]?.key;
    if (old === undefined) {
      this.indexes?.set(key.text, this.list.length);
      this.list.push({ key, value });
      return;
    }
    key.first = old.first ?? old;
    duplicates.push({ first: key.first, second: key });
    this.list[index] = { key, value };
  }

  merge(entries: Entry[]): void {
    this.list = entries;
    this.indexes = undefined;
    for (const { value } of entries) value.parent = this;
  }

  override close(end: number): this {
    // Needed again only if something asks for a key by name.
    this.indexes = undefined;
    return super.close(end);
  }

  private indexOf(name: string): number {
    const { list } = this;
    if (list.length <= maxUnindexedEntries) {
      let index = list.length - 1;
      while (index >= 0 && list[index]?.key.text !== name) index--;
      return index;
    }
    this.indexes ??= new Map(list.map(({ key }, index) => [key.text, index]));
    return this.indexes.get(name) ?? -1;
  }
}

export class SequenceNode extends CollectionNode {
  readonly kind = "sequence";

  constructor(
    start: number,
    end?: number,
    private readonly list: Node[] = [],
  ) {
    super(start, end);
  }

  get items(): readonly Node[] {
    return this.list;
  }

  add(value: Node): void {
    value.key = this.list.length;
    value.parent = this;
    this.list.push(value);
  }
}

/** Where and how a scalar is written, to find the place of a character of its value. */
export interface ScalarSource {
  readonly style: ScalarStyle;
  /** The text between the quotes, or the lines of a block scalar. */
  readonly start: number;
  readonly end: number;
  /** Columns of indentation of a block scalar's text; -1 otherwise. */
  readonly indent: number;
}

export class ScalarNode extends BaseNode {
  readonly kind = "scalar";

  constructor(
    start: number,
    end: number,
    readonly value: ScalarValue,
    /** For YAML only: derived from the rest for JSON, to save memory. */
    private readonly explicitSource?: ScalarSource,
  ) {
    super(start, end);
  }

  get source(): ScalarSource {
    if (this.explicitSource !== undefined) return this.explicitSource;
    const quote = typeof this.value === "string" ? 1 : 0;
    return { style: "json", start: this.start + quote, end: this.end - quote, indent: -1 };
  }

  shifted(by: number): ScalarNode {
    const { explicitSource: source } = this;
    const moved = source && { ...source, start: source.start + by, end: source.end + by };
    return new ScalarNode(this.start + by, this.end + by, this.value, moved);
  }
}

/** Also true if there is nothing after the colon in YAML. */
export function isNull(node: Node | undefined): boolean {
  return node?.kind === "scalar" && node.value === null;
}

export function childrenOf(node: Node): readonly Node[] {
  if (node.kind === "sequence") return node.items;
  return node.kind === "mapping" ? node.entries.map(({ value }) => value) : [];
}

/** Whether the key of a value is repeated, so that it is unclear which value counts. */
export function isDuplicated(value: Node | undefined): boolean {
  return value?.key instanceof Key && value.key.isDuplicate;
}

export function hasDuplicateKeys(node: MappingNode | undefined): boolean {
  return node?.entries.some(({ key }) => key.isDuplicate) === true;
}

/** Where to report a value: a scalar at itself, a collection at its key, or else at its head. */
export function placeOf(node: Node): Place {
  if (node.kind === "scalar") return node;
  if (node.key instanceof Key) return node.key;
  const { start, end } = node.head;
  return { pointer: node.pointer, start, end };
}

export function escapeSegment(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

export function unescapeSegment(segment: string): string {
  return segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;
}

/** A value together with its node, so that it keeps its place. */
abstract class LocatedValue<Value> implements Place {
  constructor(
    readonly value: Value,
    readonly node: ScalarNode,
  ) {}

  get start(): number {
    return this.node.start;
  }

  get end(): number {
    return this.node.end;
  }

  get pointer(): string {
    return this.node.pointer;
  }
}

export class LocatedString extends LocatedValue<string> implements Located {
  /** Undefined for any other value, which the schema check reports. */
  static of(node: Node | undefined): LocatedString | undefined {
    return node?.kind === "scalar" && typeof node.value === "string"
      ? new LocatedString(node.value, node)
      : undefined;
  }

  static unlessDuplicated(node: Node | undefined): LocatedString | undefined {
    return isDuplicated(node) ? undefined : LocatedString.of(node);
  }

  get text(): string {
    return this.value;
  }
}

export class LocatedCount extends LocatedValue<number> {
  /** Every count in a file is a whole number from 1. */
  static of(node: Node | undefined): LocatedCount | undefined {
    if (node?.kind !== "scalar" || typeof node.value !== "number") return undefined;
    return Number.isInteger(node.value) && node.value >= 1 ? new LocatedCount(node.value, node) : undefined;
  }
}

export class LocatedBoolean extends LocatedValue<boolean> {
  static of(node: Node | undefined): LocatedBoolean | undefined {
    return node?.kind === "scalar" && typeof node.value === "boolean"
      ? new LocatedBoolean(node.value, node)
      : undefined;
  }
}

export function asMapping(node: Node | undefined): MappingNode | undefined {
  return node?.kind === "mapping" ? node : undefined;
}

export function hasProperty(node: Node | null | undefined, name: string): boolean {
  return node?.kind === "mapping" && node.get(name) !== undefined;
}

export function stringOf(node: Node | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

export function numberOf(node: Node | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "sequence" ? node.items : [];
}

export function locatedStringsOf(node: Node | undefined): readonly LocatedString[] {
  return itemsOf(node).flatMap((item) => LocatedString.of(item) ?? []);
}

type PlainObject = Record<string, unknown>;

/** The plain data of a tree, as from `JSON.parse`. Does not recurse, since trees may be deep. */
export function toValue(root: Node): unknown {
  const open: { node: Node; value: unknown[] | PlainObject }[] = [];
  const emptyValue = (node: Node): unknown => {
    if (node.kind === "scalar") return node.value;
    const value = node.kind === "sequence" ? [] : {};
    open.push({ node, value });
    return value;
  };
  const result = emptyValue(root);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const { node, value } = container;
    if (node.kind === "sequence" && Array.isArray(value))
      for (const item of node.items) value.push(emptyValue(item));
    else if (node.kind === "mapping" && !Array.isArray(value))
      for (const entry of node.entries) setOwnProperty(value, entry.key.text, emptyValue(entry.value));
  }
  return result;
}

function setOwnProperty(object: PlainObject, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Ignores the order of keys. Values of repeated keys count as equal, since they are unclear. */
export function isSameValue(one: Node, other: Node): boolean {
  const open: [Node, Node][] = [[one, other]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (isDuplicated(a) || isDuplicated(b)) continue;
    if (a.kind !== b.kind) return false;
    if (a.kind === "scalar" && b.kind === "scalar" && a.value !== b.value) return false;
    const children = childrenOf(a);
    if (children.length !== childrenOf(b).length) return false;
    for (const child of children) {
      const { key } = child;
      const counterpart = key instanceof Key ? asMapping(b)?.get(key.text) : itemsOf(b)[Number(key)];
      if (counterpart === undefined) return false;
      open.push([child, counterpart]);
    }
  }
  return true;
}
