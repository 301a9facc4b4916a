import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { LintRequest } from "../config/lint-request.js";
import { discover } from "../files/discover.js";
import { settingFileNames } from "../files/find-config.js";
import { routesIn, walkFolder } from "../files/find-files.js";
import { boundaryOf, gitIgnoredIn } from "../files/ignore-files.js";
import { realPathOf } from "../files/paths.js";
import { errorCode, statIfExists } from "../files/read-file.js";

/** What there was to lint at one moment, and every file that decides what is found. */
export class Snapshot {
  readonly targets: readonly string[];
  /** To be filled by the run that lints this. */
  readonly queries: DiskQueries;
  private readonly fixedFolders: readonly string[];
  private readonly stamps: Map<string, string>;
  /** To what the run before this asked. */
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
    const deciding = [...above].flatMap((folder) => settingFileNames.map((name) => join(folder, name)));
    this.stamps = new Map([...this.targets, ...deciding, ...files].map((path) => [path, fileStamp(path)]));
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

  /** The files that are not as they were. What only decides about a new or a lost pack need not have changed. */
  changesSince(earlier: Snapshot): readonly string[] {
    const paths = new Set([...earlier.stamps.keys(), ...this.targets]);
    const changed = [...paths].filter((path) => (earlier.stamps.get(path) ?? "") !== this.currentStamp(path));
    return [...new Set([...changed, ...this.answers.changesSince(earlier.queries)])];
  }

  /** Takes a file as it is now: what we write ourselves is no change. */
  refresh(path: string): void {
    this.stamps.set(path, fileStamp(path));
    this.queries.refresh(path);
  }

  private currentStamp(path: string): string {
    return this.stamps.get(path) ?? fileStamp(path);
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
    // Whoever names a file means that one: what lies below its folder need not be walked.
    if (root !== resolve(cwd, path) && !path.includes("**")) return [root];
    return foldersBelow(root, cwd);
  });
}

/** A search in folders, and down to a depth below them, for routes that belong to those that are linted. */
export interface RouteSearch {
  readonly folders: readonly string[];
  readonly maxDepth: number;
}

/** What a run of `lint` asks of the disk besides the files that it is to lint, and what the answers were. */
class DiskQueries {
  private readonly searches: RouteSearch[] = [];
  private readonly answers = new Map<string, string>();
  private readonly lookups = new Set<string>();

  constructor(private readonly cwd: string) {}

  recordSearch(search: RouteSearch, found: readonly string[]): void {
    this.searches.push(search);
    for (const path of found) this.answers.set(path, fileStamp(path));
  }

  /** Whether something is there is all that was asked. */
  recordLookup(path: string): void {
    this.lookups.add(path);
    if (!this.answers.has(path)) this.answers.set(path, existsSync(path) ? "there" : "");
  }

  refresh(path: string): void {
    if (this.answers.has(path)) this.answers.set(path, fileStamp(path));
  }

  /** The same questions, answered as of now. */
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

  /** Where the answers can change. */
  folders(): readonly string[] {
    const searched = this.searches.flatMap(({ folders, maxDepth }) =>
      folders.flatMap((folder) => foldersBelow(folder, this.cwd, maxDepth)),
    );
    return [...searched, ...[...this.answers.keys()].flatMap(foldersHolding)];
  }
}

/** A folder, and those below it that a search enters. */
function foldersBelow(folder: string, cwd: string, maxDepth = Infinity): readonly string[] {
  const visits =
    maxDepth > 1 ? [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth - 1)] : [];
  return [folder, ...visits.flatMap(({ path, entry }) => (entry.isDirectory() ? path : []))];
}

/** Where a file can change: under its name, and where a link leads. */
function foldersHolding(path: string): readonly string[] {
  return [path, realPathOf(path)].map((name) => watchableFolder(dirname(name)));
}

/** The path itself, or the nearest folder above it that can be watched. */
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

/** What is different for a file that has changed; empty where there is none, and the reason where it cannot be looked at. */
function fileStamp(path: string): string {
  try {
    const stats = statIfExists(path);
    return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  } catch (error) {
    return errorCode(error) ?? "unknown reason";
  }
}
