import type { Digraph } from "../graph/digraph.js";

/** Bounds the walks, one for each set of states that is asked for: by what all of them look at, and what they remember. */
const maxWalkCost = 100_000_000;
const maxCachedStates = 1_000_000;

/** Remembers which states can come after which, and walks no more than a fixed amount to find out. */
export class StatesAfterCache {
  private readonly cache = new Map<string, ReadonlySet<number>>();
  private readonly maxWalks: number;

  constructor(
    states: number,
    { size, targets }: Digraph,
    private readonly walk: (from: readonly number[]) => ReadonlySet<number>,
  ) {
    this.maxWalks = Math.min(maxWalkCost / (size + targets.length), maxCachedStates / states);
  }

  /** Nothing once the walks are used up. */
  of(from: readonly number[]): ReadonlySet<number> | undefined {
    const key = from.join();
    const known = this.cache.get(key);
    if (known !== undefined || this.cache.size >= this.maxWalks) return known;
    const after = this.walk(from);
    this.cache.set(key, after);
    return after;
  }
}
