import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import type { Document } from "../../document/document.js";

/** A path as reports show it: relative to the working folder, with `/`. */
export function displayPath(path: string, cwd: string): string {
  return withForwardSlashes(relative(cwd, path)) || ".";
}

export function displayLocation(file: string, { lines }: Document, offset: number): string {
  const { line, column } = lines.position(offset);
  return `${file}:${line}:${column}`;
}

export function withForwardSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** The path with its links resolved, or as it is if nothing exists there. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
