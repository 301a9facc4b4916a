/** Asks once, and only when the answer is needed. */
export function once<T>(ask: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => (answer ??= { value: ask() }).value;
}

/** An object whose properties are found when they are first read. */
export function lazily<T extends object>(questions: { readonly [Name in keyof T]-?: () => T[Name] }): T {
  const answers = {};
  for (const [name, ask] of Object.entries<() => unknown>(questions)) {
    Object.defineProperty(answers, name, { get: once(ask), enumerable: true });
  }
  return answers as T;
}
