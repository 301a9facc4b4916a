import { compileGlob, hasWildcard, isGlob, type PathTest } from "../files/glob.js";

const globOptions = { dot: true, braces: true };

/**
 * The files of an override. As under `ignore`, a pattern that has no slash, but perhaps at its end, counts in any folder;
 * one with a slash at its end means what is in a folder, and a plain name either.
 */
export function overrideMatcher(pattern: string): PathTest {
  const asWritten = compilePattern(pattern, isAnchored(pattern));
  if (hasWildcard(pattern) || pattern.endsWith("/")) return asWritten;
  const inFolder = compilePattern(`${pattern}/`, isAnchored(pattern));
  return (path) => asWritten(path) || inFolder(path);
}

/** The files of an entry of `ignore`: the same, but a plain name is one file, or one folder. */
export function ignoredFindingMatcher(pattern: string): PathTest {
  return compilePattern(pattern, isAnchored(pattern) || !isGlob(pattern));
}

/** Why a pattern can match nothing, as the end of a sentence that begins with it; `key` is what it stands under. */
export function filePatternFault(pattern: string, key: "file" | "files"): string | undefined {
  if (pattern.startsWith("!"))
    return `matches no file: "${key}" can only name files to include, not files to leave out`;
  return emptyPatternFault(pattern);
}

/** The same for a line of `ignore`, which may leave out files again. */
export function ignoreLineFault(line: string): string | undefined {
  return emptyPatternFault(line.replace(/^!/u, "").trimEnd());
}

function emptyPatternFault(pattern: string): string | undefined {
  return stripLeadingDotSlash(pattern) === "" ? "matches no file: it is empty" : undefined;
}

/** The pattern from the folder of the config. */
export function stripLeadingDotSlash(pattern: string): string {
  return pattern.replace(/^\.?\//u, "");
}

function isAnchored(pattern: string): boolean {
  return pattern.slice(0, -1).includes("/");
}

/** In web projects folders are called `[slug]`: brackets may stand for themselves, too. */
function compilePattern(pattern: string, tied: boolean): PathTest {
  const bare = stripLeadingDotSlash(pattern);
  const glob = (tied ? "" : "**/") + (bare.endsWith("/") ? `${bare}**` : bare);
  const spellings = new Set([glob, glob.replaceAll("[", "\\[")]);
  const tests = [...spellings].map((each) => compileGlob(each, globOptions));
  return (path) => tests.some((matches) => matches(path));
}
