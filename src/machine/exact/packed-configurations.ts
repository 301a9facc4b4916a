import { filled } from "../../graph/digraph.js";
import type { ConfigurationTable } from "./configurations.js";
import type { Machine } from "../machine.js";

/** Numbers below this are kept without a box around them. */
const maxSmallInteger = 2 ** 30;

/** Configurations as single numbers: the counts are digits, each guarded state with a place of its own. */
export class PackedConfigurationTable implements ConfigurationTable {
  private readonly ids = new Map<number, number>();
  private readonly states: number[] = [];
  private readonly counts: number[] = [];
  private current = 0;

  private constructor(
    /** What one visit of a state adds to the counts; nothing where it is not guarded. */
    private readonly weights: readonly number[],
    /** How many different counts of visits a state can have. */
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
