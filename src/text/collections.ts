/** The value of a key, even `undefined`; created and stored where the `Map` or `WeakMap` has none. */
export function getOrCreate<Key, Value>(
  map: Pick<Map<Key, Value>, "get" | "has"> & { set(key: Key, value: Value): unknown },
  key: Key,
  make: () => NoInfer<Value>,
): Value {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Value;
  const made = make();
  map.set(key, made);
  return made;
}

/** A function that finds a value once for each object. */
export function cached<Key extends object, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => getOrCreate(known, key, () => find(key));
}

export function appendTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** The items by their keys; of several with one key, the first. */
export function firstByKey<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item> {
  const found = new Map<Key, Item>();
  for (const item of items) getOrCreate(found, keyOf(item), () => item);
  return found;
}

/** Computed on the first call and remembered, even `undefined`. */
export function lazy<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}

/** Those that pass a test, and the rest. */
export function partition<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
): readonly [passed: readonly Item[], others: readonly Item[]] {
  const passed = new Set(items.filter(test));
  return [[...passed], items.filter((item) => !passed.has(item))];
}

export function countBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of items.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Undefined if the work throws; for errors whose cause does not matter. */
export function tryTo<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Maps each text and the number of times it has occurred so far, itself included. */
export function numberRepeats<Numbered>(
  texts: readonly string[],
  numbered: (text: string, ordinal: number) => Numbered,
): readonly Numbered[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const ordinal = (seen.get(text) ?? 0) + 1;
    seen.set(text, ordinal);
    return numbered(text, ordinal);
  });
}

/** Adds properties to an object that are each computed when first read, and remembered. */
export function withLazy<Base extends object, Added extends object>(
  base: Base,
  finders: { readonly [Name in keyof Added]: () => Added[Name] },
): Base & Added {
  for (const [name, find] of Object.entries<() => unknown>(finders))
    Object.defineProperty(base, name, { get: lazy(find), enumerable: true });
  return base as Base & Added;
}
