import type { Digraph } from "../graph/digraph.js";

/** Bounds the walks, one for each set of states that is asked for: by what all of them look at, and what they remember. */
const mostLooked = 100_000_000;
const mostKept = 1_000_000;

/** Remembers which states can come after which, and walks no more than a fixed amount to find out. */
export class StatesAfter {
  private readonly known = new Map<string, ReadonlySet<number>>();
  private readonly most: number;

  constructor(
    states: number,
    { size, targets }: Digraph,
    private readonly walk: (from: readonly number[]) => ReadonlySet<number>,
  ) {
    this.most = Math.min(mostLooked / (size + targets.length), mostKept / states);
  }

  /** Nothing once the walks are used up. */
  of(from: readonly number[]): ReadonlySet<number> | undefined {
    const key = from.join();
    const known = this.known.get(key);
    if (known !== undefined || this.known.size >= this.most) return known;
    const after = this.walk(from);
    this.known.set(key, after);
    return after;
  }
}
