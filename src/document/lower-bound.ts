/** The index of the first item whose value is not below the bound; the items are in the order of their values. */
export function lowerBound<Item>(
  items: readonly Item[],
  bound: number,
  valueOf: (item: Item) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && valueOf(item) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const startOf = ({ start }: { readonly start: number }): number => start;
