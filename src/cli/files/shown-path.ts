import { relative, sep } from "node:path";
import type { Document } from "../../document/document.js";

/** A path as reports show it: relative to the working folder, with `/`. */
export function shownPath(path: string, cwd: string): string {
  return slashed(relative(cwd, path)) || ".";
}

/** A place in a file as a line of text begins with it: `file:line:column`. */
export function shownPlace(file: string, { lines }: Document, offset: number): string {
  const { line, column } = lines.position(offset);
  return `${file}:${line}:${column}`;
}

export function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
