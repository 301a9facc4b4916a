import { at, filled } from "../graph/digraph.js";
import type { Machine } from "./machine.js";

/** Numbers configurations (a state and the visit counts of the guarded states) in order of first appearance. */
export interface ConfigurationTable {
  readonly size: number;
  /** Makes a configuration the current one. */
  select(id: number): void;
  /** How often a guarded state was entered up to the current configuration. */
  visits(state: number): number;
  /** The configuration after the current one (initially, the empty one) when this state is entered. */
  enter(state: number): number;
  stateOf(id: number): number;
}

/** Most workflows fit a configuration into a small integer, and V8 looks those up fastest. */
export function createConfigurationTable(machine: Machine): ConfigurationTable {
  return PackedConfigurationTable.of(machine) ?? new HashedConfigurationTable(machine);
}

/** V8 stores integers below this unboxed. */
const maxSmallInteger = 2 ** 30;

/** Configurations as single numbers, with the counts as digits of a mixed-radix number. */
export class PackedConfigurationTable implements ConfigurationTable {
  private readonly ids = new Map<number, number>();
  private readonly states: number[] = [];
  private readonly counts: number[] = [];
  private current = 0;

  private constructor(
    /** The place value of each state's count; 0 for an unguarded state. */
    private readonly weights: readonly number[],
    /** The number of possible counts of each state. */
    private readonly ranges: readonly number[],
  ) {}

  static of({ states }: Machine): PackedConfigurationTable | undefined {
    const weights = filled(states.length, 0);
    const ranges = filled(states.length, 1);
    let weight = 1;
    for (const { index, maxVisits } of states) {
      if (maxVisits === undefined) continue;
      weights[index] = weight;
      ranges[index] = maxVisits + 1;
      weight *= maxVisits + 1;
      if (weight * states.length > maxSmallInteger) return undefined;
    }
    return new PackedConfigurationTable(weights, ranges);
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

  enter(state: number): number {
    const counts = this.current + (this.weights[state] ?? 0);
    const key = counts * this.weights.length + state;
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
}

/** Configurations of any size in one array, found by hashing: string keys would be ten times as slow. */
export class HashedConfigurationTable implements ConfigurationTable {
  size = 0;
  /** The position of each state's count; -1 for an unguarded state. */
  private readonly counterOf: number[];
  private readonly width: number;
  private readonly words: number[] = [];
  private readonly current: number[];
  private slots = filled(128, -1);

  constructor({ states }: Machine) {
    this.counterOf = filled(states.length, -1);
    let width = 1;
    for (const { index, maxVisits } of states) if (maxVisits !== undefined) this.counterOf[index] = width++;
    this.width = width;
    this.current = filled(width, 0);
  }

  select(id: number): void {
    const start = id * this.width;
    for (let i = 0; i < this.width; i++) this.current[i] = at(this.words, start + i);
  }

  visits(state: number): number {
    return this.current[at(this.counterOf, state)] ?? 0;
  }

  enter(state: number): number {
    const { current } = this;
    const before = at(current, 0);
    const counter = at(this.counterOf, state);
    current[0] = state;
    if (counter !== -1) current[counter] = at(current, counter) + 1;
    const id = this.intern();
    current[0] = before;
    if (counter !== -1) current[counter] = at(current, counter) - 1;
    return id;
  }

  stateOf(id: number): number {
    return at(this.words, id * this.width);
  }

  private intern(): number {
    const mask = this.slots.length - 1;
    let slot = this.hash(this.current, 0) & mask;
    for (let id = at(this.slots, slot); id !== -1; id = at(this.slots, slot)) {
      if (this.isCurrent(id)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.size++;
    for (let i = 0; i < this.width; i++) this.words.push(at(this.current, i));
    this.slots[slot] = id;
    if (this.size * 2 > this.slots.length) this.rehash();
    return id;
  }

  private isCurrent(id: number): boolean {
    const start = id * this.width;
    for (let i = 0; i < this.width; i++) if (this.words[start + i] !== this.current[i]) return false;
    return true;
  }

  private rehash(): void {
    const slots = filled(this.slots.length * 2, -1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = this.hash(this.words, id * this.width) & mask;
      while (at(slots, slot) !== -1) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }

  /** FNV-1a over whole words, mixed at the end so that the low bits depend on all of them. */
  private hash(words: readonly number[], start: number): number {
    let value = 0x811c9dc5;
    for (let i = start; i < start + this.width; i++) value = Math.imul(value ^ at(words, i), 0x01000193);
    value ^= value >>> 15;
    value = Math.imul(value, 0x2c1b3c6d);
    return value ^ (value >>> 13);
  }
}
