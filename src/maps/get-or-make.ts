/** What a map has for a key, be it nothing; where it has none, that is made and kept. */
export function getOrCreate<Key, Value>(map: MapLike<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
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
