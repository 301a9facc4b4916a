const pythonGroup = /\(\?P(?=<[A-Za-z_]\w*>)/g;

/** Why a pattern is not a regular expression; `""` if the reason is unknown. It is compiled, but never run. */
export function patternError(written: string): string | undefined {
  const pattern = written.replaceAll(pythonGroup, "(?");
  if (compiles(replacePropertyEscapes(pattern), "u") || compiles(pattern)) return undefined;
  if (otherDialectSyntax.test(pattern)) return undefined;
  const mistake = firstMistake(pattern);
  const isDuplicate = mistake === duplicateName;
  // Dialects with `(?P<name>` agree only on this error, and other dialects allow duplicate names.
  if (isDuplicate !== (pattern !== written)) return undefined;
  // Alternatives may share a name.
  if (isDuplicate && pattern.includes("|")) return undefined;
  return mistake;
}

/** Syntax of other dialects that JavaScript may reject. */
const otherDialectSyntax =
  /\(\?(?:[abcdefgilmnopqrstuwxDJLPRSTUVWX0-9^-]+[):]|P|>|#|\||R|&|\d|\()|[*+?}]\+|\\Q/;

/** A class, the start of a group, a quantifier, what cannot be repeated, or any other escape or character. */
const tokens =
  /(?<set>\[(?:[^\]\\]|\\[^])*(?<setEnd>\]?))|(?<group>\((?:\?(?:[:=!]|<(?:[=!]|(?<name>[^\d>][^>]*)>)?)?)?)|(?<quantifier>[*+?]\??|\{(?<least>\d+)(?:,(?<most>\d*))?\}\??)|(?<edge>[|^$]|\\[bB])|\\?[^]/gu;

const duplicateName = "two groups have the same name";

/** In our own words: those of an engine differ from engine to engine, and from version to version. */
function firstMistake(pattern: string): string {
  const open: string[] = [];
  const names = new Set<string>();
  let isRepeatable = false;
  let hasDuplicate = false;
  for (const { 0: token, groups: found = {} } of pattern.matchAll(tokens)) {
    const { set, setEnd, group, name, quantifier, least, most, edge } = found;
    if (token === "\\") return "it ends in a lone backslash";
    if (set !== undefined && !compiles(setEnd === "" ? `${set}]` : set))
      return 'a range between "[" and "]" runs backwards';
    if (setEnd === "") return 'a "[" is not closed';
    if (group === "(?") return 'a group that begins with "(?" is not valid';
    if (group === "(?<") return "";
    if (quantifier !== undefined && !isRepeatable) return "a quantifier has nothing to repeat";
    if (Number(most || Infinity) < Number(least)) return 'the numbers between "{" and "}" run backwards';
    if (group !== undefined) open.push(group);
    if (name !== undefined) hasDuplicate ||= names.size === names.add(name).size;
    const closed = token === ")" ? open.pop() : "";
    if (closed === undefined) return 'a ")" closes nothing';
    isRepeatable = (group ?? quantifier ?? edge) === undefined && !/^\(\?<[=!]/.test(closed);
  }
  if (open.length > 0) return 'a "(" is not closed';
  return hasDuplicate ? duplicateName : "";
}

const escapes = /\\(?:[pP]\{[^{}]{1,60}\}|[^])/g;

/** Compiling a property escape takes a millisecond, so each is compiled once and replaced by `\d`. */
function replacePropertyEscapes(pattern: string): string {
  const known = new Map<string, boolean>();
  return pattern.replace(escapes, (written) => {
    if (written.length < 3) return written;
    const isKnown = known.get(written) ?? compiles(written, "u");
    known.set(written, isKnown);
    return isKnown ? "\\d" : written;
  });
}

function compiles(pattern: string, flags = ""): boolean {
  try {
    // JavaScriptCore rejects counts of ten digits.
    new RegExp(pattern.replace(/(?<=[{,]\d{9})\d+/g, ""), flags);
    return true;
  } catch {
    return false;
  }
}
