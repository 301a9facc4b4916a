import type { FileKind } from "../../document/file-format.js";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { compareText } from "../../diagnostic.js";
import { appendTo, getOrCreate } from "../../text/collections.js";
import { didYouMean } from "../../text/names.js";
import { expandGlob, findFiles, isNamedAsPack, mayBeRoutes, routesIn, Strays } from "./find-files.js";
import { globFault, isGlob } from "./glob.js";
import { boundaryOf, gitIgnoredIn, IgnoreFiles } from "./ignore-files.js";
import { displayPath, realPathOf } from "./paths.js";
import { danglingLink, describeIoError, errorCode, isLink, readRegularFile } from "./read-file.js";

export interface Target {
  /** As reports show it: relative to the working folder, with `/`. */
  readonly file: string;
  readonly path: string;
  /** Whether the command line names it, rather than a folder or a glob. */
  readonly named: boolean;
  /** The named folder in which it was found, if any. */
  readonly folder?: string | undefined;
  /** Reads its bytes if they are not on the disk. */
  readonly read?: (limit: number) => Uint8Array;
  /** Links to it that were found, too. */
  readonly aliases?: readonly Target[];
}

export function readTargetBytes({ path, read }: Pick<Target, "path" | "read">, limit: number): Uint8Array {
  return read === undefined ? readRegularFile(path, limit) : read(limit);
}

/** Whether a file may be routes. Files that were found, and are not named like packs, have been probed already. */
export function mayHoldRoutes({ path, named, read }: Target): boolean {
  return named ? mayBeRoutes(path, read) : !isNamedAsPack(path);
}

export interface Discovery {
  readonly targets: readonly Target[];
  readonly problems: readonly string[];
  /** The first files in the searched folders that are packs by their content, but not by their names. */
  readonly strayPacks: readonly string[];
  /** Finds files in some folders, down to a depth, that may be routes, though they are not linted. */
  readonly beside: (folders: readonly string[], maxDepth: number) => readonly Target[];
}

/** The files that the paths of a command line stand for, each once, sorted by path. */
export function discover(paths: readonly string[], cwd: string, kind?: FileKind): Discovery {
  const found = new Map<string, Pick<FoundPath, "named" | "folder">>();
  const problems: string[] = [];
  const strayPacks: string[] = [];
  for (const path of paths.length === 0 ? ["."] : paths) {
    if (path === "-") continue;
    if (path === "") {
      problems.push('A path is empty: name a file or a folder, such as ".".');
      continue;
    }
    for (const { path: file, named, folder } of expandPath(path, cwd, problems, kind, strayPacks)) {
      const earlier = found.get(file);
      found.set(file, { named: named || earlier?.named === true, folder: earlier?.folder ?? folder });
    }
  }
  const targets = [...found].map(([path, how]) => ({ file: displayPath(path, cwd), path, ...how }));
  targets.sort((a, b) => compareText(a.file, b.file));
  return { targets: mergeAliases(targets), problems, strayPacks, beside: routesBeside(cwd) };
}

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
  problems: string[],
  kind: FileKind | undefined,
  strayPacks: string[],
): readonly FoundPath[] {
  const absolute = resolve(cwd, path);
  try {
    if (!statSync(absolute).isDirectory()) return [{ path: absolute, named: true }];
  } catch (error) {
    if (isGlob(path) && !isLink(absolute)) return findByGlob(path, cwd, problems);
    problems.push(describeMissing(path, absolute, error));
    return [];
  }
  const before = problems.length;
  const ignored = gitIgnoredIn(absolute, cwd);
  const strays = new Strays(new IgnoreFiles(".promptpackignore", boundaryOf(absolute, cwd)));
  const files = findFiles(absolute, cwd, problems, ignored, kind, strays);
  if (files.length > 0) strayPacks.push(...strays.packs);
  if (files.length === 0 && problems.length === before) {
    const except = ignored.hasIgnored ? " (files that git ignores are skipped)" : "";
    const hint = kind === "routes" ? "" : strayHint(strays, cwd);
    problems.push(nothingFoundMessage(path, kind, except) + hint);
  }
  return files.map((file) => ({ path: file, named: false, folder: absolute }));
}

export function nothingFoundMessage(path: string, kind: FileKind | undefined, except = ""): string {
  const what = kind === "routes" ? "No routes (RFC-103) were" : "No pack was";
  return `${what} found ${path === "." ? "below the working folder" : `in "${path}"`}${except}.`;
}

function strayHint({ packs: [pack], source }: Strays, cwd: string): string {
  if (pack !== undefined) {
    const name = basename(pack).replace(/\.\w+$/u, ".pack$&");
    return ` "${displayPath(pack, cwd)}" looks like one: pass it by name, or rename it to "${name}".`;
  }
  return source === undefined
    ? ""
    : ` "${displayPath(source, cwd)}" is a source file: compile such files with PromptKit first ("packc compile"), and lint the pack.`;
}

function findByGlob(pattern: string, cwd: string, problems: string[]): readonly FoundPath[] {
  const fault = globFault(pattern);
  if (fault !== undefined) {
    problems.push(`"${pattern}" ${fault}.`);
    return [];
  }
  const files = expandGlob(pattern, cwd, problems);
  if (files.length === 0) problems.push(`No file matches "${pattern}".`);
  return files.map((path) => ({ path, named: false }));
}

function describeMissing(path: string, absolute: string, error: unknown): string {
  if (errorCode(error) !== "ENOENT") return `"${path}" ${describeIoError(error)}.`;
  if (isLink(absolute)) return `"${path}" ${danglingLink}.`;
  const folder = dirname(absolute);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return `"${path}" does not exist.${didYouMean(basename(absolute), names)}`;
}

/** A file that was found under several names is reported under its own, or else under the first. */
function mergeAliases(targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets;
  const names = new Map<string, Target[]>();
  for (const target of targets) appendTo(names, realPathOf(target.path), target);
  if (names.size === targets.length) return targets;
  const files = [...names].map(([real, all]) => {
    const own = all.find(({ path }) => path === real) ?? all[0];
    const named = all.some((each) => each.named);
    return own && { ...own, named, aliases: all.filter((each) => each !== own) };
  });
  return files.filter((file) => file !== undefined).sort((a, b) => compareText(a.file, b.file));
}

/** Keeps the first name of each file. */
export function withoutAliases(targets: readonly Target[]): readonly Target[] {
  const byRealPath = new Map<string, Target>();
  for (const target of targets) getOrCreate(byRealPath, realPathOf(target.path), () => target);
  return [...byRealPath.values()];
}
