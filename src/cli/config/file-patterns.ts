import { compileGlob, isGlob, type PathTest } from "../glob.js";

const options = { dot: true, braces: true };

/**
 * The files of an override. As under `ignore`, a pattern that has no slash, but perhaps at its end, counts in any folder;
 * one with a slash at its end means what is in a folder.
 */
export function overrideTest(pattern: string): PathTest {
  const isTied = pattern.slice(0, -1).includes("/");
  const bare = withoutStart(pattern);
  const glob = bare.endsWith("/") ? `${bare}**` : bare;
  return compileGlob(isTied ? glob : `**/${glob}`, options);
}

/** Why a pattern of an override can match nothing, as the end of a sentence that begins with it. */
export function overrideFault(pattern: string): string | undefined {
  if (withoutStart(pattern) === "") return "matches no file: it is empty";
  if (pattern.startsWith("!"))
    return 'matches no file: "files" names those that are meant, and leaves out none';
  return undefined;
}

/** The files of an entry of `ignore`: a plain name is one file, a glob without a slash counts in any folder. */
export function ignoredFindingTest(pattern: string): PathTest {
  const bare = pattern.replace(/^\.\//u, "");
  const anywhere = isGlob(bare) && !bare.includes("/");
  return compileGlob(anywhere ? `**/${bare}` : bare, options);
}

function withoutStart(pattern: string): string {
  return pattern.replace(/^\.?\//u, "");
}
