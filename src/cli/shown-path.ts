import { relative, sep } from "node:path";

/** A path as reports show it: relative to the working folder, with `/`. */
export function shownPath(path: string, cwd: string): string {
  return slashed(relative(cwd, path)) || ".";
}

export function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
