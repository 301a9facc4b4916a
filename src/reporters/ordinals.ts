/** Which one each text is among those that are equal to it, counted from 1. */
export function ordinalsOf(texts: readonly string[]): number[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const ordinal = (seen.get(text) ?? 0) + 1;
    seen.set(text, ordinal);
    return ordinal;
  });
}
