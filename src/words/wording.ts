/** How names stand in a sentence: `"a"`, `"a" and "b"`, `"a", "b" and 3 more`. */
export function listNames(names: readonly string[], most = 6): string {
  return listNamesOf(names, (name) => name, most);
}

/** The same for things with names; only those shown are asked for theirs, as there may be many. */
export function listNamesOf<T>(things: readonly T[], nameOf: (thing: T) => string, most = 6): string {
  const shown = things.length > most ? things.slice(0, most - 1) : things;
  const words = shown.map((thing) => `"${nameOf(thing)}"`);
  if (shown.length < things.length) words.push(`${things.length - shown.length} more`);
  return joinWords(words, "and");
}

/** What there is to choose from: `"a", "b" or "c"`. */
export function listChoices(names: readonly string[]): string {
  return joinWords(
    names.map((name) => `"${name}"`),
    "or",
  );
}

/** `a, b or c` */
export function joinWords(words: readonly string[], conjunction: "or" | "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 time`, `3 times`. */
export function pluralize(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

const unquotedName = () => /^[\p{L}\p{N}\p{M}_.:/@#+-]+$/u;

/** A name in a run, `plan ─Ready→ build`: one that could be mistaken for a part of the run stands in quotes. */
export function quoteForTrace(name: string): string {
  return unquotedName().test(name) ? name : `"${name}"`;
}
