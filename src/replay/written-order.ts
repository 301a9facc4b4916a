/** One of the moves of a record: the states it lies between, and when it happened. */
export interface Dated {
  readonly from: string;
  readonly to: string;
  readonly when: number;
}

export interface Ordered<T> {
  readonly items: readonly T[];
  /** The first that is told before another that came earlier. */
  readonly early?: { readonly item: T; readonly before: T };
}

/**
 * The moves in the order in which they happened, where that explains better how one leads to the next than the order in
 * which they are written. `isNumbered` where they count one after the other, so that a number alone is no reason.
 */
export function inOrder<T>(
  items: readonly T[],
  read: (item: T) => Dated | undefined,
  isNumbered: boolean,
): Ordered<T> {
  const written = items.map((item) => ({ item, ...(read(item) ?? { from: "", to: "", when: NaN }) }));
  if (written.every(({ when }, index) => !(when < (written[index - 1]?.when ?? -Infinity)))) return { items };
  const happened = written.toSorted((a, b) => a.when - b.when);
  const first = happened[0]?.when ?? 0;
  if (happened.some(({ when }, index) => Number.isNaN(when) || (isNumbered && when !== first + index)))
    return { items };
  const fewer = breaksOf(written) - breaksOf(happened);
  if (isNumbered ? fewer < 0 : fewer <= 0) return { items };
  const at = written.findIndex((move, index) => move !== happened[index]);
  const [early, before] = [written[at], happened[at]];
  if (early === undefined || before === undefined) return { items };
  return { items: happened.map(({ item }) => item), early: { item: early.item, before: before.item } };
}

/** How often a move does not leave the state that the one before entered. */
function breaksOf(moves: readonly Dated[]): number {
  return moves.filter(({ from }, index) => index > 0 && from !== moves[index - 1]?.to).length;
}
