import { compileGlob, hasWildcard, isGlob, type PathTest } from "../files/glob.js";

const options = { dot: true, braces: true };

/**
 * The files of an override. As under `ignore`, a pattern that has no slash, but perhaps at its end, counts in any folder;
 * one with a slash at its end means what is in a folder, and a plain name either.
 */
export function overrideTest(pattern: string): PathTest {
  const asWritten = testOf(pattern, isTied(pattern));
  if (hasWildcard(pattern) || pattern.endsWith("/")) return asWritten;
  const inFolder = testOf(`${pattern}/`, isTied(pattern));
  return (path) => asWritten(path) || inFolder(path);
}

/** The files of an entry of `ignore`: the same, but a plain name is one file, or one folder. */
export function ignoredFindingTest(pattern: string): PathTest {
  return testOf(pattern, isTied(pattern) || !isGlob(pattern));
}

/** Why a pattern can match nothing, as the end of a sentence that begins with it; `key` is what it stands under. */
export function filePatternFault(pattern: string, key: "file" | "files"): string | undefined {
  if (pattern.startsWith("!"))
    return `matches no file: "${key}" can only name files to include, not files to leave out`;
  return pathFault(pattern);
}

/** The same for a line of `ignore`, which may leave out files again. */
export function ignoreLineFault(line: string): string | undefined {
  return pathFault(line.replace(/^!/u, "").trimEnd());
}

function pathFault(pattern: string): string | undefined {
  return withoutStart(pattern) === "" ? "matches no file: it is empty" : undefined;
}

/** The pattern from the folder of the config. */
export function withoutStart(pattern: string): string {
  return pattern.replace(/^\.?\//u, "");
}

function isTied(pattern: string): boolean {
  return pattern.slice(0, -1).includes("/");
}

/** In web projects folders are called `[slug]`: brackets may stand for themselves, too. */
function testOf(pattern: string, tied: boolean): PathTest {
  const bare = withoutStart(pattern);
  const glob = (tied ? "" : "**/") + (bare.endsWith("/") ? `${bare}**` : bare);
  const spellings = new Set([glob, glob.replaceAll("[", "\\[")]);
  const tests = [...spellings].map((each) => compileGlob(each, options));
  return (path) => tests.some((matches) => matches(path));
}
