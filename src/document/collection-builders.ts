import type { DuplicateKey } from "./document.js";
import { type Entry, type Key, MappingNode, type Node, SequenceNode, type Span } from "./node.js";

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
