const pythonGroup = /\(\?P(?=<[A-Za-z_]\w*>)/g;

/** Why a pattern is not a regular expression; `""` if the reason is unknown. It is compiled, but never run. */
export function patternError(written: string): string | undefined {
  const pattern = written.replaceAll(pythonGroup, "(?");
  if (compileError(replacePropertyEscapes(pattern), "u") === undefined) return undefined;
  const error = compileError(pattern, "");
  if (error === undefined || otherDialectSyntax.test(pattern)) return undefined;
  const isDuplicate = error.includes("Duplicate capture group");
  // Dialects with `(?P<name>` agree only on this error, and other dialects allow duplicate names.
  if (isDuplicate !== (pattern !== written)) return undefined;
  // Alternatives may share a name.
  if (isDuplicate && pattern.includes("|")) return undefined;
  const matches = (reason: string): boolean => error.endsWith(reason) || error.includes(`: ${reason}`);
  return explanations.find(([reason]) => matches(reason))?.[1] ?? "";
}

/** Syntax of other dialects that JavaScript may reject. */
const otherDialectSyntax =
  /\(\?(?:[abcdefgilmnopqrstuwxDJLPRSTUVWX0-9^-]+[):]|P|>|#|\||R|&|\d|\()|[*+?}]\+|\\Q/;

/** Plain words for the engine's messages. */
const explanations: readonly (readonly [reason: string, explanation: string])[] = [
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

const escapes = /\\(?:[pP]\{[^{}]{1,60}\}|[^])/g;

/** Compiling a property escape takes a millisecond, so each is compiled once and replaced by `\d`. */
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
