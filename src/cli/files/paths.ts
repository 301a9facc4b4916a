import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Document } from "../../document/document.js";
import { tryTo } from "../../text/collections.js";

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
  return tryTo(() => realpathSync.native(path)) ?? path;
}

export function isLink(path: string): boolean {
  return tryTo(() => lstatSync(path).isSymbolicLink()) ?? false;
}

/** Where ignore files above `folder` stop to count: the repository, or else the working folder. */
export function boundaryOf(folder: string, cwd: string): string {
  return repositoryOf(folder) ?? (folder === cwd || isBelow(cwd, folder) ? cwd : folder);
}

export function repositoryOf(folder: string): string | undefined {
  return fromHereUp(folder).find(isRepository);
}

export function isRepository(folder: string): boolean {
  return existsSync(join(folder, ".git"));
}

/** A path and the folders above it, the nearest first. */
export function fromHereUp(path: string): readonly string[] {
  const paths = [path];
  // A name in git's index may be thousands of folders deep.
  for (let above = dirname(path); above !== paths.at(-1); above = dirname(above)) paths.push(above);
  return paths;
}

/**
 * Whether a link that nobody named stays inside a folder or its repository: a repository must not make us read or change
 * other files. A link to nothing is left to whoever reads it.
 */
export function staysInside(folder: string, link: string, target = realPathOf(link)): boolean {
  return [folder, repositoryOf(folder)].some(
    (root) => root !== undefined && (isBelow(realPathOf(root), target) || target === link),
  );
}

export function isBelow(folder: string, path: string): boolean {
  return path.length > folder.length && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
