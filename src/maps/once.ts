/** Found when it is first asked for, and remembered, be it nothing. */
export function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}

/** Remembers what was found for each key, be it nothing. */
export class OncePerKey<Key, Value> {
  private readonly known = new Map<Key, { readonly value: Value }>();

  of(key: Key, find: () => Value): Value {
    let found = this.known.get(key);
    if (found === undefined) this.known.set(key, (found = { value: find() }));
    return found.value;
  }
}
