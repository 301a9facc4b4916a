import { accessSync, constants, existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { getOrCreate, tryTo } from "../../text/collections.js";
import { pluralize } from "../../text/wording.js";
import type { LintRequest } from "../config/lint-request.js";
import { discover, routesIn, walkFolder } from "../files/discover.js";
import { gitIgnoredIn, settingFileNames } from "../files/setting-files.js";
import { boundaryOf, displayPath, fromHereUp, isBelow, realPathOf } from "../files/paths.js";
import { errorCode, statIfExists } from "../files/read-file.js";
import { type Io, printMessage, UsageError } from "../terminal/io.js";

/** Lints now and whenever a file changes, until the signal. Returns the last exit code. */
export async function watchFiles(
  io: Io,
  paths: readonly string[],
  request: LintRequest,
  lint: (observer: Snapshot) => Promise<number>,
): Promise<number> {
  if (paths.includes("-")) throw new UsageError("Standard input cannot be watched: name files or folders.");
  const { signal } = io;
  const watch = new FolderWatcher(signal);
  try {
    let seen = new Snapshot(io.cwd, paths, request);
    for (let code = await lint(seen); ; code = await lintAgain(io, () => lint(seen))) {
      if (io.stdout.isLost === true || io.stderr.isLost === true) {
        printMessage(io, "The watch ends: its output can no longer be written.");
        return 1;
      }
      if (signal?.aborted !== true)
        printMessage(io, `Watching ${pluralize(seen.targets.length, "file")}; press Ctrl-C to stop.`);
      let now: Snapshot;
      let changed: readonly string[];
      do {
        const { folders } = seen;
        watch.watchOnly(folders);
        // Compare once before waiting: something may have changed during linting.
        now = new Snapshot(io.cwd, paths, request);
        changed = now.changesSince(seen);
        watch.watchOnly([...folders, ...now.folders]);
      } while (changed.length === 0 && (await watch.waitForChange()));
      if (changed.length === 0) return code;
      printMessage(io, `${displayPaths(changed, io.cwd)} changed.`);
      seen = now;
    }
  } finally {
    watch.close();
  }
}

/** A file such as the baseline may be broken for a while without ending the watch. */
async function lintAgain(io: Io, lint: () => Promise<number>): Promise<number> {
  try {
    return await lint();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printMessage(io, error.message);
    return 2;
  }
}

function displayPaths(paths: readonly string[], cwd: string): string {
  const [first = "", ...more] = paths.map((path) => `"${displayPath(path, cwd)}"`);
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** In milliseconds; editors save in several steps. */
const quietPeriod = 100;

/** Watches folders one by one: a recursive watch includes node_modules, and on Linux, Node 20 watches each file for it. */
class FolderWatcher {
  private readonly watchers = new Map<string, FSWatcher>();
  private timer: NodeJS.Timeout | undefined;
  private hasChanged = false;
  private wake: () => void = () => undefined;
  private readonly onAbort = () => this.wake();

  constructor(private readonly signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", this.onAbort, { once: true });
  }

  /** A folder that was replaced is watched anew. */
  watchOnly(folders: Iterable<string>): void {
    const wanted = new Map([...folders].map((folder) => [folderKey(folder), folder]));
    for (const [key, watcher] of this.watchers) {
      if (wanted.has(key)) continue;
      watcher.close();
      this.watchers.delete(key);
    }
    for (const [key, folder] of wanted) if (!this.watchers.has(key)) this.startWatching(key, folder);
  }

  /** Returns false if the signal comes before a change. */
  async waitForChange(): Promise<boolean> {
    while (!this.hasChanged && this.signal?.aborted !== true)
      await new Promise<void>((resolve) => (this.wake = resolve));
    this.hasChanged = false;
    return this.signal?.aborted !== true;
  }

  close(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.close();
    this.signal?.removeEventListener("abort", this.onAbort);
  }

  private startWatching(key: string, folder: string): void {
    try {
      const watcher = watch(folder, this.scheduleChange);
      watcher.on("error", this.scheduleChange);
      this.watchers.set(key, watcher);
    } catch (error) {
      if (unwatchableCodes.has(errorCode(error))) return;
      throw new UsageError(`"${folder}" cannot be watched (${errorCode(error) ?? "unknown reason"}).`);
    }
  }

  private readonly scheduleChange = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.hasChanged = true;
      this.wake();
    }, quietPeriod);
  };
}

/** Such a folder has nothing to lint, and its parent is watched, too. */
const unwatchableCodes: ReadonlySet<string | undefined> = new Set(["ENOENT", "EACCES", "EPERM", "ELOOP"]);

function folderKey(folder: string): string {
  return `${tryTo(() => statIfExists(folder)?.ino) ?? ""} ${folder}`;
}

/** The files to lint at one moment, the settings files that apply to them, and what linting them looks up besides. */
export class Snapshot {
  readonly targets: readonly string[];
  private readonly stamps = new Map<string, string>();
  /** Whether other paths existed; their content does not matter. */
  private readonly lookups = new Map<string, boolean>();
  private readonly searches: RouteSearch[] = [];

  constructor(
    private readonly cwd: string,
    private readonly paths: readonly string[],
    { config, baseline, updateBaseline, kind }: LintRequest,
  ) {
    this.targets = discover(paths, cwd, kind).targets.map(({ path }) => path);
    const own = new Set(this.targets.map((path) => dirname(path)));
    const above = new Set([...own].flatMap((folder) => foldersUpTo(folder, boundaryOf(folder, cwd))));
    const named = [config === false ? undefined : config, updateBaseline ? undefined : baseline];
    const files = named.flatMap((file) => (file === undefined ? [] : resolve(cwd, file)));
    const settingFiles = [...above].flatMap((folder) => settingFileNames.map((name) => join(folder, name)));
    for (const path of [...this.targets, ...settingFiles, ...files]) this.record(path);
  }

  /** Also called for our own writes, which are not changes. */
  readonly record = (path: string): void => {
    this.stamps.set(path, fileStamp(path));
  };

  /** To be called before the found routes are read. */
  recordSearch(search: RouteSearch, found: readonly string[]): void {
    this.searches.push(search);
    found.forEach(this.record);
  }

  /** To be called before the path is looked up. */
  readonly recordLookup = (path: string): void => {
    if (!this.stamps.has(path)) getOrCreate(this.lookups, path, () => existsSync(path));
  };

  /** A file of a project, whose content matters, or whose absence. */
  readonly recordSource = (path: string): void => {
    if (!this.stamps.has(path)) this.record(path);
  };

  get folders(): readonly string[] {
    const searched = this.searches.flatMap(({ folders, maxDepth }) =>
      folders.flatMap((folder) => foldersBelow(folder, this.cwd, maxDepth)),
    );
    const known = [...this.stamps.keys(), ...this.lookups.keys()];
    const holding = known
      .flatMap((path) => [path, realPathOf(path)])
      .map((path) => watchableFolder(dirname(path)));
    return [...searchedFolders(this.paths, this.cwd), ...searched, ...holding];
  }

  /** The files that changed. Settings files that apply only to a new pack are not among them. */
  changesSince(earlier: Snapshot): readonly string[] {
    const routes = earlier.searches.flatMap(({ folders, maxDepth }) =>
      folders.flatMap((folder) => routesIn(folder, this.cwd, maxDepth)),
    );
    const { stamps, lookups } = earlier;
    const paths = new Set([...stamps.keys(), ...lookups.keys(), ...this.targets, ...routes]);
    return [...paths].filter((path) => {
      // A path that has since become a file to lint is compared by its content.
      const existed = this.stamps.has(path) ? undefined : lookups.get(path);
      if (existed !== undefined) return existsSync(path) !== existed;
      return (this.stamps.get(path) ?? fileStamp(path)) !== (stamps.get(path) ?? "");
    });
  }
}

function foldersUpTo(folder: string, boundary: string): readonly string[] {
  return fromHereUp(folder).filter((each) => !isBelow(each, boundary));
}

function searchedFolders(paths: readonly string[], cwd: string): readonly string[] {
  return (paths.length === 0 ? ["."] : paths).flatMap((path) => {
    const root = watchableFolder(resolve(cwd, path));
    // For a named file, the folders below its own do not matter.
    if (root !== resolve(cwd, path) && !path.includes("**")) return [root];
    return foldersBelow(root, cwd);
  });
}

interface RouteSearch {
  readonly folders: readonly string[];
  readonly maxDepth: number;
}

function foldersBelow(folder: string, cwd: string, maxDepth = Infinity): readonly string[] {
  const visits =
    maxDepth > 1 ? [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth - 1)] : [];
  return [folder, ...visits.flatMap(({ path, entry }) => (entry.isDirectory() ? path : []))];
}

function watchableFolder(path: string): string {
  const isReadable = (folder: string): boolean => {
    accessSync(folder, constants.R_OK);
    return statSync(folder).isDirectory();
  };
  return fromHereUp(path).find((folder) => tryTo(() => isReadable(folder))) ?? parse(path).root;
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
