import { dirname, join, resolve } from "node:path";
import { settingFileNames } from "../config/find-config.js";
import { boundaryOf } from "../files/ignore-files.js";
import type { LintRequest } from "../request/lint-request.js";
import { discover } from "../search/discover.js";
import { DiskQueries, foldersBelow, foldersHolding, fileStamp, watchableFolder } from "./asked.js";

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
