import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { LintRequest } from "../config/lint-request.js";
import { discover } from "../files/discover.js";
import { settingFileNames } from "../files/find-config.js";
import { routesIn, walkFolder } from "../files/find-files.js";
import { boundaryOf, gitIgnoredIn } from "../files/ignore-files.js";
import { realPathOf } from "../files/paths.js";
import { errorCode, statIfExists } from "../files/read-file.js";

/** The files to lint at one moment, and the settings files that apply to them. */
export class Snapshot {
  readonly targets: readonly string[];
  /** Filled by the run that lints this. */
  readonly queries: DiskQueries;
  private readonly fixedFolders: readonly string[];
  private readonly stamps: Map<string, string>;
  /** Current answers to the queries of the previous run. */
  private readonly answers: DiskQueries;

  constructor(
    cwd: string,
    paths: readonly string[],
    { config, baseline, updateBaseline, kind }: LintRequest,
    earlier?: Snapshot,
  ) {
    this.queries = new DiskQueries(cwd);
    this.answers = earlier?.queries.rerun() ?? new DiskQueries(cwd);
    this.targets = discover(paths, cwd, kind).targets.map(({ path }) => path);
    const own = new Set(this.targets.map((path) => dirname(path)));
    const above = new Set([...own].flatMap((folder) => foldersUpTo(folder, boundaryOf(folder, cwd))));
    const named = [config === false ? undefined : config, updateBaseline ? undefined : baseline];
    const files = named.flatMap((file) => (file === undefined ? [] : resolve(cwd, file)));
    const settingFiles = [...above].flatMap((folder) => settingFileNames.map((name) => join(folder, name)));
    this.stamps = new Map(
      [...this.targets, ...settingFiles, ...files].map((path) => [path, fileStamp(path)]),
    );
    const present = [...this.stamps].flatMap(([path, stamp]) => (stamp === "" ? [] : foldersHolding(path)));
    this.fixedFolders = [
      ...above,
      ...searchedFolders(paths, cwd),
      ...files.map((file) => dirname(file)),
      ...present,
    ];
  }

  get folders(): ReadonlySet<string> {
    return new Set([...this.fixedFolders, ...this.answers.folders(), ...this.queries.folders()]);
  }

  /** The files that changed. Settings files that apply only to a new pack are not among them. */
  changesSince(earlier: Snapshot): readonly string[] {
    const paths = new Set([...earlier.stamps.keys(), ...this.targets]);
    const changed = [...paths].filter(
      (path) => (earlier.stamps.get(path) ?? "") !== (this.stamps.get(path) ?? fileStamp(path)),
    );
    return [...new Set([...changed, ...this.answers.changesSince(earlier.queries)])];
  }

  /** Our own writes are not changes. */
  refresh(path: string): void {
    this.stamps.set(path, fileStamp(path));
    this.queries.refresh(path);
  }
}

function foldersUpTo(folder: string, boundary: string): readonly string[] {
  const folders = [folder];
  for (let current = folder; current !== boundary && dirname(current) !== current;) {
    current = dirname(current);
    folders.push(current);
  }
  return folders;
}

function searchedFolders(paths: readonly string[], cwd: string): readonly string[] {
  return (paths.length === 0 ? ["."] : paths).flatMap((path) => {
    const root = watchableFolder(resolve(cwd, path));
    // For a named file, the folders below its own do not matter.
    if (root !== resolve(cwd, path) && !path.includes("**")) return [root];
    return foldersBelow(root, cwd);
  });
}

/** A search for routes that belong to those that are linted. */
export interface RouteSearch {
  readonly folders: readonly string[];
  readonly maxDepth: number;
}

/** What a run of `lint` looked up besides the files that it lints, with the answers. */
class DiskQueries {
  private readonly searches: RouteSearch[] = [];
  private readonly answers = new Map<string, string>();
  private readonly lookups = new Set<string>();

  constructor(private readonly cwd: string) {}

  recordSearch(search: RouteSearch, found: readonly string[]): void {
    this.searches.push(search);
    for (const path of found) this.answers.set(path, fileStamp(path));
  }

  /** Only whether the path exists matters. */
  recordLookup(path: string): void {
    this.lookups.add(path);
    if (!this.answers.has(path)) this.answers.set(path, existsSync(path) ? "there" : "");
  }

  refresh(path: string): void {
    if (this.answers.has(path)) this.answers.set(path, fileStamp(path));
  }

  /** The same queries with current answers. */
  rerun(): DiskQueries {
    const now = new DiskQueries(this.cwd);
    for (const search of this.searches) {
      const found = search.folders.flatMap((folder) => routesIn(folder, this.cwd, search.maxDepth));
      now.recordSearch(search, found);
    }
    for (const path of this.lookups) now.recordLookup(path);
    return now;
  }

  changesSince(earlier: DiskQueries): readonly string[] {
    const paths = [...new Set([...earlier.answers.keys(), ...this.answers.keys()])];
    return paths.filter((path) => (earlier.answers.get(path) ?? "") !== (this.answers.get(path) ?? ""));
  }

  folders(): readonly string[] {
    const searched = this.searches.flatMap(({ folders, maxDepth }) =>
      folders.flatMap((folder) => foldersBelow(folder, this.cwd, maxDepth)),
    );
    return [...searched, ...[...this.answers.keys()].flatMap(foldersHolding)];
  }
}

/** The folder and the folders below it that a search enters. */
function foldersBelow(folder: string, cwd: string, maxDepth = Infinity): readonly string[] {
  const visits =
    maxDepth > 1 ? [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth - 1)] : [];
  return [folder, ...visits.flatMap(({ path, entry }) => (entry.isDirectory() ? path : []))];
}

/** The folders of a file and of the target of a link. */
function foldersHolding(path: string): readonly string[] {
  return [path, realPathOf(path)].map((name) => watchableFolder(dirname(name)));
}

/** The path, or the nearest folder above it that can be watched. */
function watchableFolder(path: string): string {
  let folder = path;
  while (!isReadableFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function isReadableFolder(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Differs if a file has changed; empty if it does not exist. */
function fileStamp(path: string): string {
  try {
    const stats = statIfExists(path);
    return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  } catch (error) {
    return errorCode(error) ?? "unknown reason";
  }
}
