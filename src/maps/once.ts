/** Found when it is first asked for, and remembered, be it nothing. */
export function lazy<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}
