import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { gitIgnoredIn } from "../files/ignore-files.js";
import { errorCode, statIfExists } from "../files/read-file.js";
import { realPathOf } from "../files/real-path.js";
import { routesIn, walkFolder } from "../search/find-packs.js";

/** A search in folders, and down to a depth below them, for routes that belong to those that are linted. */
export interface RouteSearch {
  readonly folders: readonly string[];
  readonly maxDepth: number;
}

/** What a run of `lint` asks of the disk besides the files that it is to lint, and what the answers were. */
export class DiskQueries {
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
export function foldersBelow(folder: string, cwd: string, maxDepth = Infinity): readonly string[] {
  const visits = maxDepth > 1 ? [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth - 1)] : [];
  return [folder, ...visits.flatMap(({ path, entry }) => (entry.isDirectory() ? path : []))];
}

/** Where a file can change: under its name, and where a link leads. */
export function foldersHolding(path: string): readonly string[] {
  return [path, realPathOf(path)].map((name) => watchableFolder(dirname(name)));
}

/** The path itself, or the nearest folder above it that can be watched. */
export function watchableFolder(path: string): string {
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
export function fileStamp(path: string): string {
  try {
    const stats = statIfExists(path);
    return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  } catch (error) {
    return errorCode(error) ?? "unknown reason";
  }
}
