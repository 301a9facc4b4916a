const pascalCase = /^[A-Z][A-Za-z0-9]*$/;

/** Whether it is called as an event should be (RFC 0005). */
export function isEventName(name: string): boolean {
  return pascalCase.test(name);
}

/** Whether it has letters or digits that no event name has. */
export function hasNonAsciiLetters(name: string): boolean {
  return /[\p{L}\p{M}\p{N}]/u.test(name.replace(/[A-Za-z0-9]+/g, ""));
}

const wordSeparators = /[-_ .:/]+/;

/** The name an author would choose; none where nothing sensible is left of it. */
export function toEventName(name: string): string | undefined {
  if (pascalCase.test(name)) return name;
  const shouted = !/[a-z]/.test(name);
  const renamed = (shouted ? name.toLowerCase() : name)
    .split(wordSeparators)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return pascalCase.test(renamed) ? renamed : undefined;
}
