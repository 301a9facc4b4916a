import { readdirSync, statSync, type Dirent } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { FileKind } from "../../diagnose/file-kind.js";
import { compareText } from "../../diagnostic.js";
import { boundaryOf, gitIgnoredIn, IgnoreFiles, isBelow } from "../files/ignore-files.js";
import { describeIoError, readRegularFile } from "../files/read-file.js";
import { displayPath } from "../files/shown-path.js";
import { looksLikePack } from "./looks-like-pack.js";
import { looksLikeRoutes } from "./looks-like-routes.js";

export const documentNamePattern = /\.(?:json|ya?ml)$/su;
const packNamePattern = /^(?:.*\.)?(?:pack|promptpack)\.(?:json|ya?ml)$/su;

export function isNamedAsPack(path: string): boolean {
  return packNamePattern.test(basename(path));
}

type ReadBytes = (limit: number) => Uint8Array;

/**
 * Whether a file that was not named itself is to be linted: packs are known by their names, routes by what is in them,
 * as `read` has it, or else the disk.
 */
export function shouldLint(path: string, kind: FileKind | undefined, read?: ReadBytes): boolean {
  if (isNamedAsPack(path)) return kind !== "routes";
  if (kind === "pack" || !documentNamePattern.test(path)) return false;
  return kind === "routes" || looksLikeRoutes(read ?? ((limit) => readRegularFile(path, limit)));
}

/** Whether a file has no name of a pack and speaks of the loop of RFC-103. */
export function mayBeRoutes(path: string, read?: ReadBytes): boolean {
  return !isNamedAsPack(path) && shouldLint(path, undefined, read);
}

/** The files in a folder, and down to a depth below it, that may be routes, except what git ignores. */
export function routesIn(folder: string, cwd: string, maxDepth: number): readonly string[] {
  const visits = [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth)];
  return visits.flatMap(({ path, entry }) => (!isFolder(path, entry) && mayBeRoutes(path) ? path : []));
}

/** The files of a kind in a folder and below it, except what is ignored. Links to folders are not followed. */
export function findFiles(
  folder: string,
  cwd: string,
  troubles: string[],
  ignored: IgnoreFiles,
  kind: FileKind | undefined,
): readonly string[] {
  const files: string[] = [];
  for (const { path, entry } of walkFolder(folder, cwd, troubles, ignored)) {
    if (documentNamePattern.test(entry.name) && !isFolder(path, entry) && shouldLint(path, kind)) files.push(path);
  }
  return files;
}

/** The first file in a folder, and below it, that is a pack by what is in it, and neither called like one nor skipped. */
export function findStrayPack(folder: string, cwd: string, ignored: IgnoreFiles): string | undefined {
  const skipped = new IgnoreFiles(".promptpackignore", boundaryOf(folder, cwd));
  for (const { path, entry } of walkFolder(folder, cwd, [], ignored)) {
    if (!documentNamePattern.test(entry.name) || isFolder(path, entry) || skipped.ignores(path, false)) continue;
    if (looksLikePack(path)) return path;
  }
  return undefined;
}

/** A link counts as what it leads to; one that leads nowhere is no folder. */
export function isFolder(path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

interface WalkEntry {
  readonly path: string;
  readonly entry: Dirent;
}

const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Whether a search of the working folder would not come to a file. */
export function isSkippedBySearch(path: string, cwd: string): boolean {
  const folders = relative(cwd, path).split(sep).slice(0, -1);
  if (folders.some((name) => skippedFolders.has(name))) return true;
  // A repository inside of another has nothing to do with what that ignores.
  const own = boundaryOf(dirname(path), cwd);
  const ignored = isBelow(cwd, own) ? new IgnoreFiles(".gitignore", own) : gitIgnoredIn(cwd, cwd);
  return ignored.ignores(path, false);
}

/** Emacs marks a file that is being edited with a link of this name, which leads nowhere. */
const emacsLockPrefix = ".#";

/** Everything below a folder, except what is ignored, down to a depth. */
export function* walkFolder(
  folder: string,
  cwd: string,
  troubles: string[],
  ignored: IgnoreFiles,
  maxDepth = Infinity,
): Generator<WalkEntry> {
  const waiting = [{ folder, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of readFolder(next.folder, cwd, troubles)) {
      if (entry.name.startsWith(emacsLockPrefix) && entry.isSymbolicLink()) continue;
      const path = join(next.folder, entry.name);
      const goesDeeper = entry.isDirectory();
      if (goesDeeper && skippedFolders.has(entry.name)) continue;
      if (ignored.ignores(path, goesDeeper)) continue;
      yield { path, entry };
      if (goesDeeper && next.depth < maxDepth) waiting.push({ folder: path, depth: next.depth + 1 });
    }
  }
}

function readFolder(folder: string, cwd: string, troubles: string[]): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  } catch (error) {
    troubles.push(`"${displayPath(folder, cwd)}" ${describeIoError(error)}.`);
    return [];
  }
}
