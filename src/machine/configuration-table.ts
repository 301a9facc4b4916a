import { at, filled } from "../graph/digraph.js";

/**
 * Numbers configurations (a state and the visit counts of the guarded states) in the order they are first seen.
 * Counts lie packed in one array and are found by hashing: a string key for each would cost ten times as much.
 */
export class ConfigurationTable {
  size = 0;
  private readonly words: number[] = [];
  private slots = filled(128, -1);

  /** `width` is 1 for the state plus the number of guarded states. */
  constructor(private readonly width: number) {}

  /** The number of the configuration spelled by `words`; a new one if it was not seen before. */
  intern(words: readonly number[]): number {
    const mask = this.slots.length - 1;
    let slot = this.hash(words, 0) & mask;
    for (let id = at(this.slots, slot); id !== -1; id = at(this.slots, slot)) {
      if (this.holds(id, words)) return id;
      slot = (slot + 1) & mask;
    }
    return this.add(words, slot);
  }

  /** Copies configuration `id` into `words`. */
  read(id: number, words: number[]): void {
    const start = id * this.width;
    for (let i = 0; i < this.width; i++) words[i] = at(this.words, start + i);
  }

  stateOf(id: number): number {
    return at(this.words, id * this.width);
  }

  private add(words: readonly number[], slot: number): number {
    const id = this.size++;
    for (let i = 0; i < this.width; i++) this.words.push(at(words, i));
    this.slots[slot] = id;
    if (this.size * 2 > this.slots.length) this.rehash();
    return id;
  }

  private holds(id: number, words: readonly number[]): boolean {
    const start = id * this.width;
    for (let i = 0; i < this.width; i++) if (this.words[start + i] !== words[i]) return false;
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

  /** FNV-1a over whole words, mixed at the end so that low bits depend on all of them. */
  private hash(words: readonly number[], start: number): number {
    let value = 0x811c9dc5;
    for (let i = start; i < start + this.width; i++) value = Math.imul(value ^ at(words, i), 0x01000193);
    value ^= value >>> 15;
    value = Math.imul(value, 0x2c1b3c6d);
    return value ^ (value >>> 13);
  }
}
