import type { Located, Place, Span } from "../diagnostic.js";

export type { Span };

/**
 * The tree of a pack file. Every key and value knows its offsets in the text and, through its parents, its JSON Pointer.
 * Only the readers in this folder build it.
 */
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
    readonly end: number,
  ) {}

  get pointer(): string {
    return pointerTo(this);
  }
}

/** RFC 6901. */
function pointerTo(node: BaseNode): string {
  const segments: string[] = [];
  let current: BaseNode | null = node;
  for (; current !== null && current.key !== null; current = current.parent)
    segments.push(typeof current.key === "number" ? String(current.key) : escapeSegment(current.key.text));
  return segments.length === 0 ? "" : "/" + segments.reverse().join("/");
}

/** The name of an entry. Its pointer is the entry's. */
export class Key implements Located {
  value: Node | null = null;
  /** Whether its mapping has this key more than once. Rare, so not allocated on every key. */
  declare isDuplicate?: true;

  constructor(
    readonly text: string,
    readonly start: number,
    readonly end: number,
  ) {}

  get pointer(): string {
    return this.value === null ? "" : this.value.pointer;
  }
}

export interface Entry {
  readonly key: Key;
  readonly value: Node;
}

abstract class CollectionNode extends BaseNode {
  constructor(
    start: number,
    end: number,
    private readonly explicitHead?: Span,
  ) {
    super(start, end);
  }

  /** Where to report a collection that has no key: its opening bracket by default. */
  get head(): Span {
    return this.explicitHead ?? { start: this.start, end: this.start + 1 };
  }
}

/** A linear search is as fast for this few entries, and an index would cost memory in every small mapping. */
const maxUnindexedEntries = 12;

export class MappingNode extends CollectionNode {
  readonly kind = "mapping";
  private index: Map<string, Entry> | undefined;

  constructor(
    start: number,
    end: number,
    /** With the last value of a repeated key. */
    readonly entries: readonly Entry[],
    head?: Span,
  ) {
    super(start, end, head);
  }

  entry(name: string): Entry | undefined {
    const { entries } = this;
    if (entries.length <= maxUnindexedEntries) {
      for (let i = entries.length - 1; i >= 0; i--) if (entries[i]?.key.text === name) return entries[i];
      return undefined;
    }
    if (this.index === undefined) {
      this.index = new Map();
      for (const entry of entries) this.index.set(entry.key.text, entry);
    }
    return this.index.get(name);
  }

  get(name: string): Node | undefined {
    return this.entry(name)?.value;
  }
}

export class SequenceNode extends CollectionNode {
  readonly kind = "sequence";

  constructor(
    start: number,
    end: number,
    readonly items: readonly Node[],
    head?: Span,
  ) {
    super(start, end, head);
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
}

export interface DuplicateKey {
  readonly first: Key;
  readonly second: Key;
}

/** Up to this many keys, a linear search is cheaper than a map. */
const maxUnindexedKeys = 8;

/** The last value of a repeated key wins, as in `JSON.parse`. */
export class MappingBuilder {
  readonly kind = "mapping";
  /** The key whose value comes next. */
  key: Key | null = null;
  private readonly entries: Entry[] = [];
  private indexByKey: Map<string, number> | undefined;
  /** The first entry of each repeated key. */
  private firstOccurrences: Map<string, Entry> | undefined;
  /** The entries that later ones of the same key replace. */
  private replaced: Entry[] | undefined;

  constructor(
    readonly start: number,
    private readonly duplicates: DuplicateKey[],
  ) {}

  add(value: Node): void {
    const key = this.key;
    if (key === null) return;
    this.key = null;
    key.value = value;
    value.key = key;
    const entry = { key, value };
    const slot = this.indexOfKey(key.text);
    if (slot === undefined) {
      this.indexByKey?.set(key.text, this.entries.length);
      this.entries.push(entry);
    } else this.replace(slot, entry);
  }

  close(end: number, head?: Span): MappingNode {
    return this.closeWith(this.entries, end, head);
  }

  /** Closes with the entries that result from merge keys. */
  closeWith(entries: readonly Entry[], end: number, head?: Span): MappingNode {
    const node = new MappingNode(this.start, end, entries, head);
    for (const entry of entries) entry.value.parent = node;
    if (entries !== this.entries) for (const entry of this.entries) entry.value.parent = node;
    for (const entry of this.replaced ?? []) entry.value.parent = node;
    return node;
  }

  get ownEntries(): readonly Entry[] {
    return this.entries;
  }

  private indexOfKey(name: string): number | undefined {
    if (this.indexByKey !== undefined) return this.indexByKey.get(name);
    for (let i = 0; i < this.entries.length; i++) if (this.entries[i]?.key.text === name) return i;
    if (this.entries.length === maxUnindexedKeys) {
      this.indexByKey = new Map(this.entries.map((entry, index) => [entry.key.text, index]));
    }
    return undefined;
  }

  private replace(slot: number, entry: Entry): void {
    const old = this.entries[slot];
    if (old === undefined) return;
    this.firstOccurrences ??= new Map();
    const first = this.firstOccurrences.get(entry.key.text) ?? old;
    this.firstOccurrences.set(entry.key.text, first);
    this.duplicates.push({ first: first.key, second: entry.key });
    entry.key.isDuplicate = true;
    (this.replaced ??= []).push(old);
    this.entries[slot] = entry;
  }
}

export class SequenceBuilder {
  readonly kind = "sequence";
  private readonly items: Node[] = [];

  constructor(readonly start: number) {}

  add(value: Node): void {
    value.key = this.items.length;
    this.items.push(value);
  }

  close(end: number, head?: Span): SequenceNode {
    const node = new SequenceNode(this.start, end, this.items, head);
    for (const item of this.items) item.parent = node;
    return node;
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
  return value?.key instanceof Key && value.key.isDuplicate === true;
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

/** The strings of a list; other items are skipped. */
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
    if (a.kind === "scalar" && b.kind === "scalar") {
      if (a.value !== b.value) return false;
    } else if (a.kind === "mapping" && b.kind === "mapping") {
      if (a.entries.length !== b.entries.length) return false;
      for (const { key, value } of a.entries) {
        const counterpart = b.get(key.text);
        if (counterpart === undefined) return false;
        open.push([value, counterpart]);
      }
    } else if (a.kind === "sequence" && b.kind === "sequence") {
      if (a.items.length !== b.items.length) return false;
      for (const [index, item] of a.items.entries()) {
        const counterpart = b.items[index];
        if (counterpart !== undefined) open.push([item, counterpart]);
      }
    } else return false;
  }
  return true;
}
