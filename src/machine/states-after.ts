/** Bounds the walks through the workflow, one for each set of states that is asked for: in all, and times the states. */
const mostWalks = 100;
const mostSteps = 1_000_000;

/** Remembers which states can come after which, and walks no more than a fixed amount to find out. */
export class StatesAfter {
  private readonly known = new Map<string, ReadonlySet<number>>();
  private readonly most: number;

  constructor(
    states: number,
    private readonly walk: (from: readonly number[]) => ReadonlySet<number>,
  ) {
    this.most = Math.min(mostWalks, mostSteps / states);
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
