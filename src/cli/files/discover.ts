import { readdirSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { compareText } from "../../diagnostic.js";
import type { FileKind } from "../../lint/run-rules.js";
import { appendTo } from "../../text/collections.js";
import { didYouMean, nearestName } from "../../text/names.js";
import { expandGlob, findFiles, findStrayPack, isNamedAsPack, mayBeRoutes, routesIn } from "./find-files.js";
import { globFault, isGlob } from "./glob.js";
import { gitIgnoredIn } from "./ignore-files.js";
import { displayPath, realPathOf } from "./paths.js";
import { danglingLink, describeIoError, errorCode, isLink, readRegularFile } from "./read-file.js";

/** A file to lint. */
export interface Target {
  /** As it is reported: relative to the working folder, with `/`. */
  readonly file: string;
  readonly path: string;
  /** Asked for by its own name, not found in a folder or by a glob. */
  readonly named: boolean;
  /** The folder in which it was found; absent where its name or a glob asked for it. */
  readonly folder?: string | undefined;
  /** Its bytes, at most a limit and one more, where they are not those on the disk. */
  readonly read?: (limit: number) => Uint8Array;
  /** Other names by which links lead to it. */
  readonly twins?: readonly Target[];
}

/** The bytes of a file, at most `limit` of them and one more, which tells that there were more. */
export function readTargetBytes({ path, read }: Pick<Target, "path" | "read">, limit: number): Uint8Array {
  return read === undefined ? readRegularFile(path, limit) : read(limit);
}

/** Whether a file may be routes; one that was found without its name is, unless it is called a pack. */
export function mayHoldRoutes({ path, named, read }: Target): boolean {
  return named ? mayBeRoutes(path, read) : !isNamedAsPack(path);
}

export interface Discovery {
  readonly targets: readonly Target[];
  /** Sentences about what was asked for and could not be had. */
  readonly problems: readonly string[];
  /** Files that are not linted and may be routes: those in these folders, and down to a depth below them. */
  readonly beside: (folders: readonly string[], maxDepth: number) => readonly Target[];
}

/** From what was asked for to the files that are meant, each once, in the order of their paths. */
export function discover(paths: readonly string[], cwd: string, kind?: FileKind): Discovery {
  const found = new Map<string, Pick<FoundPath, "named" | "folder">>();
  const problems: string[] = [];
  for (const path of paths.length === 0 ? ["."] : paths) {
    if (path === "-") continue;
    if (path === "") {
      problems.push('A path is empty: name a file or a folder, such as ".".');
      continue;
    }
    for (const { path: file, named, folder } of expandPath(path, cwd, problems, kind)) {
      const earlier = found.get(file);
      found.set(file, { named: named || earlier?.named === true, folder: earlier?.folder ?? folder });
    }
  }
  const targets = [...found].map(([path, how]) => ({ file: displayPath(path, cwd), path, ...how }));
  targets.sort((a, b) => compareText(a.file, b.file));
  return { targets: mergeAliases(targets), problems, beside: routesBeside(cwd) };
}

/** Finds files that may be routes. */
export function routesBeside(cwd: string): Discovery["beside"] {
  return (folders, maxDepth) =>
    folders
      .flatMap((folder) => routesIn(folder, cwd, maxDepth))
      .map((path) => ({ file: displayPath(path, cwd), path, named: false }));
}

type FoundPath = Pick<Target, "path" | "named" | "folder">;

function expandPath(
  path: string,
  cwd: string,
  troubles: string[],
  kind: FileKind | undefined,
): readonly FoundPath[] {
  const absolute = resolve(cwd, path);
  try {
    if (!statSync(absolute).isDirectory()) return [{ path: absolute, named: true }];
  } catch (error) {
    if (isGlob(path) && !isLink(absolute)) return findByGlob(path, cwd, troubles);
    troubles.push(describeMissing(path, absolute, error));
    return [];
  }
  const before = troubles.length;
  const ignored = gitIgnoredIn(absolute, cwd);
  const files = findFiles(absolute, cwd, troubles, ignored, kind);
  if (files.length === 0 && troubles.length === before) {
    const stray = kind === "routes" ? undefined : findStrayPack(absolute, cwd, ignored);
    const nothing = nothingFoundMessage(
      path,
      kind,
      ignored.hasIgnored ? " (files that git ignores are skipped)" : "",
    );
    troubles.push(nothing + (stray === undefined ? "" : ` ${strayPackHint(stray, cwd)}`));
  }
  return files.map((file) => ({ path: file, named: false, folder: absolute }));
}

export function nothingFoundMessage(path: string, kind: FileKind | undefined, except = ""): string {
  const what = kind === "routes" ? "No routes (RFC-103) were" : "No pack was";
  return `${what} found ${path === "." ? "below the working folder" : `in "${path}"`}${except}.`;
}

/** Whoever calls a pack otherwise wonders why nothing is found. */
function strayPackHint(path: string, cwd: string): string {
  const name = basename(path).replace(/\.\w+$/u, ".pack$&");
  return `"${displayPath(path, cwd)}" looks like one: pass it by name, or rename it to "${name}".`;
}

function findByGlob(pattern: string, cwd: string, troubles: string[]): readonly FoundPath[] {
  const fault = globFault(pattern);
  if (fault !== undefined) {
    troubles.push(`"${pattern}" ${fault}.`);
    return [];
  }
  const files = expandGlob(pattern, cwd, troubles);
  if (files.length === 0) troubles.push(`No file matches "${pattern}".`);
  return files.map((path) => ({ path, named: false }));
}

function describeMissing(path: string, absolute: string, error: unknown): string {
  if (errorCode(error) !== "ENOENT") return `"${path}" ${describeIoError(error)}.`;
  if (isLink(absolute)) return `"${path}" ${danglingLink}.`;
  return `"${path}" does not exist.${didYouMean(basename(absolute), similarNames(basename(absolute), dirname(absolute)))}`;
}

/** The files of a folder whose names without the ending are near, too: every pack ends in `.pack.yaml`. */
function similarNames(name: string, folder: string): readonly string[] {
  const stem = stemOf(name);
  return namesIn(folder).filter(
    (other) => stemOf(other) === stem || nearestName(stem, [stemOf(other)]) !== undefined,
  );
}

function stemOf(name: string): string {
  return name.replace(/(?:\.(?:pack|promptpack))?\.(?:json|ya?ml)$/u, "");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** One file under several names goes by its own, or else by the first. */
function mergeAliases(targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets;
  const names = new Map<string, Target[]>();
  for (const target of targets) appendTo(names, realPathOf(target.path), target);
  if (names.size === targets.length) return targets;
  const files = [...names].map(([real, all]) => {
    const own = all.find(({ path }) => path === real) ?? all[0];
    const named = all.some((each) => each.named);
    return own && { ...own, named, twins: all.filter((each) => each !== own) };
  });
  return files.filter((file) => file !== undefined).sort((a, b) => compareText(a.file, b.file));
}

/** One file under several names counts once, under the first. */
export function withoutAliases(targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets;
  const seen = new Set<string>();
  return targets.filter(({ path }) => {
    const real = realPathOf(path);
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}
