import type picomatch from "picomatch";

export type PathTest = (path: string) => boolean;

/*
 * Configs and ignore files come from repositories nobody has reviewed, and matching backtracks: each `**`, and each
 * further `*` in a name, multiplies the time by the length of the path. These limits keep it below a second.
 */
const maxPatternLength = 1_000;
const maxGlobstars = 2;
const maxFurtherStars = 2;
const maxAlternatives = 64;
export const maxPathLength = 1_000;

/** A test for paths with `/` and without a leading one; `dot` lets wildcards match names that begin with a dot. */
export function compileGlob(pattern: string, dot: boolean): PathTest {
  if (globFault(pattern) !== undefined) return () => false;
  // Loaded with the first glob. The bundler includes it like an import; `import()` would need a promise.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const compile = require("picomatch") as typeof picomatch;
  const options = { dot, posix: true, strictSlashes: true, noextglob: true, nonegate: true, windows: false };
  // To picomatch these are syntax, but folders may be called `(group)`.
  const literal = pattern.replace(/\\.|[()|"]/gsu, (text) => (text.length > 1 ? text : `\\${text}`));
  const matches = compile(literal, options);
  return (path) => path.length <= maxPathLength && matches(path);
}

/** Why a glob is refused, as the end of a sentence that begins with it. */
export function globFault(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return ignorePatternFault(pattern);
  const alternatives = [pattern];
  for (let next = 0; next < alternatives.length; next++) {
    const alternative = alternatives[next] ?? "";
    const [group, choices] = /(?<!\\)\{([^{},]*,[^{}]*)\}/u.exec(alternative) ?? [];
    if (group === undefined || choices === undefined) {
      const furtherStars = count(alternative, /\*+(?=[^*/][^/]*\*)/gu);
      if (furtherStars > maxFurtherStars) return 'has too many "*": split it into simpler patterns';
      const fault = ignorePatternFault(alternative);
      if (fault !== undefined) return fault;
    } else {
      // The NULs keep stars apart that picomatch will not merge either.
      const replaced = choices.split(",").map((choice) => alternative.replace(group, () => `\0${choice}\0`));
      alternatives.push(...replaced);
    }
    if (alternatives.length > 2 * maxAlternatives)
      return "has too many alternatives in braces: split it into simpler patterns";
  }
  return undefined;
}

/** The same for a line of an ignore file, where only `**` backtracks and braces have no meaning. */
export function ignorePatternFault(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `has more than ${maxPatternLength} characters`;
  return count(pattern, /\*\*\//gu) > maxGlobstars
    ? 'has too many "**": split it into simpler patterns'
    : undefined;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

export function isGlob(text: string): boolean {
  const bracket = text.search(/\[[^\]]/u);
  const hasSet = bracket >= 0 && text.lastIndexOf("]") > bracket + 1;
  return hasSet || hasWildcard(text);
}

/** Whether it cannot be a name, as one with brackets may be. */
export function hasWildcard(text: string): boolean {
  return /[*?]|\{[^{},]*,[^{}]*\}/u.test(text);
}
