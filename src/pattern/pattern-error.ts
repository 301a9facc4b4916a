/** What other dialects of regular expressions have, and the one at hand may refuse; of flags those that some dialect has. */
const otherDialectSyntax =
  /\(\?(?:[abcdefgilmnopqrstuwxDJLPRSTUVWX0-9^-]+[):]|P|>|#|\||R|&|\d|\()|[*+?}]\+|\\Q/;

/** The engine's reasons in the words of authors. */
const explanations: readonly (readonly [told: string, words: string])[] = [
  ["Unterminated group", 'a "(" is not closed'],
  ["Unmatched ')'", 'a ")" closes nothing'],
  ["Unterminated character class", 'a "[" is not closed'],
  ["Nothing to repeat", "a quantifier has nothing to repeat"],
  ["Range out of order", 'a range between "[" and "]" runs backwards'],
  ["numbers out of order", 'the numbers between "{" and "}" run backwards'],
  ["\\ at end of pattern", "it ends in a lone backslash"],
  ["Duplicate capture group name", "two groups have the same name"],
  ["Invalid group", 'a group that begins with "(?" is not valid'],
];

const pythonGroup = /\(\?P(?=<[A-Za-z_]\w*>)/g;

/** Why a pattern is no regular expression: `""` when only that much is known. It is compiled, never run. */
export function patternError(written: string): string | undefined {
  const pattern = written.replaceAll(pythonGroup, "(?");
  if (compileError(replacePropertyEscapes(pattern), "u") === undefined) return undefined;
  const fault = compileError(pattern, "");
  if (fault === undefined || otherDialectSyntax.test(pattern)) return undefined;
  const isDuplicate = fault.includes("Duplicate capture group");
  // The dialects with `(?P<name>` are at one about this only, and other dialects let groups share a name.
  if (isDuplicate !== (pattern !== written)) return undefined;
  // One of several alternatives may have a name of another.
  if (isDuplicate && pattern.includes("|")) return undefined;
  const words = explanations.find(([told]) => fault.endsWith(told) || fault.includes(`: ${told}`))?.[1];
  return words ?? "";
}

const escapes = /\\(?:[pP]\{[^{}]{1,60}\}|[^])/g;

/** Each use of a property of characters takes the engine a millisecond: one is tried, `\d` stands for the others. */
function replacePropertyEscapes(pattern: string): string {
  const known = new Map<string, boolean>();
  return pattern.replace(escapes, (written) => {
    if (written.length < 3) return written;
    const isKnown = known.get(written) ?? compileError(written, "u") === undefined;
    known.set(written, isKnown);
    return isKnown ? "\\d" : written;
  });
}

function compileError(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}
