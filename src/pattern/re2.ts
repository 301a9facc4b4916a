/** A quoted text, a class, a back reference, look-around, or any other escape, group or run of characters. */
const tokens =
  /\\Q[^]*?(?:\\E|$)|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]?|(?<reference>\\(?:[1-9](?![0-7])|k[<{'])|\(\?P=)|(?<around>\(\?<?[=!])|\\[^]|[^\\[(]+|[^]/g;

/** The feature of a pattern that RE2 does not support, if any. */
export function unsupportedByRe2(pattern: string): string | undefined {
  for (const { groups = {} } of pattern.matchAll(tokens)) {
    if (groups["around"] !== undefined) return "look-around";
    if (groups["reference"] !== undefined) return "a back reference";
  }
  return undefined;
}
