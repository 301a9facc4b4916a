/** What a map has for a key, be it nothing; where it has none, that is made and kept. */
export function getOrCreate<Key, Value>(
  map: MapLike<Key, Value>,
  key: Key,
  make: () => NoInfer<Value>,
): Value {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Value;
  const made = make();
  map.set(key, made);
  return made;
}

/** A `Map` or a `WeakMap`. */
type MapLike<Key, Value> = Pick<Map<Key, Value>, "get" | "has"> & {
  set(key: Key, value: Value): unknown;
};

/** Adds a value to those of a key, in order. */
export function appendTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Found when it is first asked for, and remembered, be it nothing. */
export function lazy<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}
