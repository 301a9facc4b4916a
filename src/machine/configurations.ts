import { at, filled } from "../graph/digraph.js";
import type { Machine } from "./machine.js";

/**
 * Numbers configurations (a state, the visit counts of the guarded states, and the tag of a monitor) in order of first
 * appearance.
 */
export interface ConfigurationTable {
  readonly size: number;
  /** Makes a configuration the current one. */
  select(id: number): void;
  /** How often a guarded state was entered up to the current configuration. */
  visits(state: number): number;
  /** The configuration after the current one (initially, the empty one) when this state is entered. */
  enter(state: number, tag?: number): number;
  /** May be a number above those of the states, as entered. */
  stateOf(id: number): number;
  tagOf(id: number): number;
}

/** Most workflows fit a configuration into a small integer, and V8 looks those up fastest. */
export function createConfigurationTable(machine: Machine, tags = 1): ConfigurationTable {
  return PackedConfigurationTable.of(machine, tags) ?? new HashedConfigurationTable(machine, tags);
}

/** The numbers above those of the states that stand for ends. */
const numberedEnds = 2;

/** V8 stores integers below this unboxed. */
const maxSmallInteger = 2 ** 30;

/** Configurations as single numbers, with the tag and the counts as digits of a mixed-radix number. */
export class PackedConfigurationTable implements ConfigurationTable {
  private readonly ids = new Map<number, number>();
  private readonly states: number[] = [];
  private readonly counts: number[] = [];
  private current = 0;

  private constructor(
    private readonly tags: number,
    /** The place value of each state's count; 0 for an unguarded state. */
    private readonly weights: readonly number[],
    /** The number of possible counts of each state. */
    private readonly ranges: readonly number[],
  ) {}

  static of({ states }: Machine, tags = 1): PackedConfigurationTable | undefined {
    const weights = filled(states.length, 0);
    const ranges = filled(states.length, 1);
    let weight = tags;
    if (weight * (states.length + numberedEnds) > maxSmallInteger) return undefined;
    for (const { index, maxVisits } of states) {
      if (maxVisits === undefined) continue;
      weights[index] = weight;
      ranges[index] = maxVisits + 1;
      weight *= maxVisits + 1;
      if (weight * (states.length + numberedEnds) > maxSmallInteger) return undefined;
    }
    return new PackedConfigurationTable(tags, weights, ranges);
  }

  get size(): number {
    return this.states.length;
  }

  select(id: number): void {
    this.current = this.counts[id] ?? 0;
  }

  visits(state: number): number {
    return Math.floor(this.current / (this.weights[state] ?? 1)) % (this.ranges[state] ?? 1);
  }

  enter(state: number, tag = 0): number {
    const { current, tags } = this;
    const counts = (tags === 1 ? current : current - (current % tags) + tag) + (this.weights[state] ?? 0);
    const key = counts * (this.weights.length + numberedEnds) + state;
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.states.length;
    this.ids.set(key, id);
    this.states.push(state);
    this.counts.push(counts);
    return id;
  }

  stateOf(id: number): number {
    return this.states[id] ?? 0;
  }

  tagOf(id: number): number {
    return (this.counts[id] ?? 0) % this.tags;
  }
}

/** Configurations of any size in one array, found by hashing: string keys would be ten times as slow. */
export class HashedConfigurationTable implements ConfigurationTable {
  size = 0;
  /** The position of each state's count; -1 for an unguarded state. */
  private readonly counterOf: number[];
  private readonly width: number;
  private words = new Float64Array(256);
  private readonly current: Float64Array;
  /** The hash of the counts of each configuration, a sum, so that one more visit only adds to it. */
  private readonly hashes: number[] = [];
  private currentHash = 0;
  private slots = new Int32Array(128).fill(-1);

  constructor(
    { states }: Machine,
    private readonly tags = 1,
  ) {
    this.counterOf = filled(states.length, -1);
    let width = 1;
    for (const { index, maxVisits } of states) if (maxVisits !== undefined) this.counterOf[index] = width++;
    this.width = width;
    this.current = new Float64Array(width);
  }

  select(id: number): void {
    const start = id * this.width;
    for (let i = 0; i < this.width; i++) this.current[i] = this.words[start + i] ?? 0;
    this.currentHash = at(this.hashes, id);
  }

  visits(state: number): number {
    return this.current[at(this.counterOf, state)] ?? 0;
  }

  enter(state: number, tag = 0): number {
    const { current } = this;
    const before = current[0] ?? 0;
    const counter = this.counterOf[state] ?? -1;
    const count = current[counter] ?? 0;
    current[0] = state * this.tags + tag;
    if (counter !== -1) current[counter] = count + 1;
    const id = this.intern((this.currentHash + (counter === -1 ? 0 : mix(counter))) | 0);
    current[0] = before;
    if (counter !== -1) current[counter] = count;
    return id;
  }

  stateOf(id: number): number {
    return Math.floor((this.words[id * this.width] ?? 0) / this.tags);
  }

  tagOf(id: number): number {
    return (this.words[id * this.width] ?? 0) % this.tags;
  }

  private intern(hash: number): number {
    const mask = this.slots.length - 1;
    let slot = mix(hash ^ (this.current[0] ?? 0)) & mask;
    for (let id = this.slots[slot] ?? -1; id !== -1; id = this.slots[slot] ?? -1) {
      if (this.hashes[id] === hash && this.isCurrent(id)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.size++;
    this.append(id * this.width);
    this.hashes.push(hash);
    this.slots[slot] = id;
    if (this.size * 2 > this.slots.length) this.rehash();
    return id;
  }

  private append(start: number): void {
    if (start + this.width > this.words.length) {
      const longer = new Float64Array(Math.max(start + this.width, this.words.length * 2));
      longer.set(this.words);
      this.words = longer;
    }
    this.words.set(this.current, start);
  }

  private isCurrent(id: number): boolean {
    const start = id * this.width;
    for (let i = 0; i < this.width; i++) if (this.words[start + i] !== this.current[i]) return false;
    return true;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = mix(at(this.hashes, id) ^ (this.words[id * this.width] ?? 0)) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }
}

/** Spreads a number over 32 bits, so that each bit depends on all of it. */
function mix(number: number): number {
  let value = Math.imul(number ^ 0x811c9dc5, 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return value ^ (value >>> 13);
}
