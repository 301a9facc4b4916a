/** Remembers what was found for each key, be it nothing. */
export class Once<Key, Value> {
  private readonly known = new Map<Key, { readonly value: Value }>();

  of(key: Key, find: () => Value): Value {
    let found = this.known.get(key);
    if (found === undefined) this.known.set(key, (found = { value: find() }));
    return found.value;
  }
}
