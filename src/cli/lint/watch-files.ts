import { type FSWatcher, watch } from "node:fs";
import { pluralize } from "../../text/wording.js";
import type { LintRequest } from "../config/lint-request.js";
import { displayPath } from "../files/paths.js";
import { errorCode, statIfExists } from "../files/read-file.js";
import type { Io } from "../terminal/io.js";
import { printMessage, UsageError } from "../terminal/messages.js";
import { type RouteSearch, Snapshot } from "./watch-snapshot.js";

/** Observes what a run of `lint` writes, and which files it looks at besides those that it lints. */
export interface WatchObserver {
  readonly onWrite: (path: string) => void;
  /** Called before the found routes are read. */
  readonly onSearch: (search: RouteSearch, found: readonly string[]) => void;
  /** Called before the path is looked up. */
  readonly onLookup: (path: string) => void;
}

type LintOnce = (observer: WatchObserver) => Promise<number>;

/** Lints now and whenever a file changes, until the signal. Returns the last exit code. */
export async function watchFiles(
  io: Io,
  paths: readonly string[],
  request: LintRequest,
  lint: LintOnce,
): Promise<number> {
  if (paths.includes("-")) throw new UsageError("Standard input cannot be watched: name files or folders.");
  const { signal } = io;
  const watch = new FolderWatcher(signal);
  try {
    let seen = new Snapshot(io.cwd, paths, request);
    const observer: WatchObserver = {
      onWrite: (path) => seen.refresh(path),
      onSearch: (search, found) => seen.queries.recordSearch(search, found),
      onLookup: (path) => seen.queries.recordLookup(path),
    };
    for (let code = await lint(observer); ; code = await lintAgain(io, () => lint(observer))) {
      if (signal?.aborted !== true)
        printMessage(io, `Watching ${pluralize(seen.targets.length, "file")}; press Ctrl-C to stop.`);
      let now: Snapshot;
      let changed: readonly string[];
      do {
        watch.watchOnly(seen.folders);
        // Compare once before waiting: something may have changed during linting.
        now = new Snapshot(io.cwd, paths, request, seen);
        changed = now.changesSince(seen);
        watch.watchOnly(now.folders);
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

  /** Watches these folders and no others. A folder that was replaced is watched anew. */
  watchOnly(folders: ReadonlySet<string>): void {
    const wanted = new Map([...folders].map((folder) => [folderKey(folder), folder]));
    for (const [key, watcher] of this.watchers) {
      if (wanted.has(key)) continue;
      watcher.close();
      this.watchers.delete(key);
    }
    for (const [key, folder] of wanted) {
      if (!this.watchers.has(key)) this.startWatching(key, folder);
    }
  }

  /** Returns false if the signal comes before a change. */
  async waitForChange(): Promise<boolean> {
    while (!this.hasChanged && this.signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
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
      const watcher = watch(folder, () => this.scheduleChange());
      watcher.on("error", () => this.scheduleChange());
      this.watchers.set(key, watcher);
    } catch (error) {
      if (unwatchableCodes.has(errorCode(error))) return;
      throw new UsageError(`"${folder}" cannot be watched (${errorCode(error) ?? "unknown reason"}).`);
    }
  }

  private scheduleChange(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.hasChanged = true;
      this.wake();
    }, quietPeriod);
  }
}

/** Such a folder has nothing to lint, and its parent is watched, too. */
const unwatchableCodes: ReadonlySet<string | undefined> = new Set(["ENOENT", "EACCES", "EPERM", "ELOOP"]);

function folderKey(folder: string): string {
  try {
    return `${statIfExists(folder)?.ino ?? ""} ${folder}`;
  } catch {
    return ` ${folder}`;
  }
}
