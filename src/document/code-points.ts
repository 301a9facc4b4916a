const surrogate = /[\ud800-\udfff]/;

/** How many characters a text has, as JSON Schema counts them. Few have any that take two units. */
export function codePoints(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}
