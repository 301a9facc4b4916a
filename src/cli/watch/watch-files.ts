import { pluralize } from "../../words/wording.js";
import { displayPath } from "../files/shown-path.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Io } from "../terminal/io.js";
import { printMessage } from "../terminal/say.js";
import { UsageError } from "../terminal/usage-error.js";
import type { RouteSearch } from "./asked.js";
import { FolderWatcher } from "./folder-watch.js";
import { Snapshot } from "./snapshot.js";

/** Who is told what a run of `lint` does to files, and what it asks of others than those that it lints. */
export interface WatchObserver {
  /** A file was fixed. */
  readonly onWrite: (path: string) => void;
  /** Routes were searched for, and found, but not yet read. */
  readonly onSearch: (search: RouteSearch, found: readonly string[]) => void;
  /** A path is about to be looked for. */
  readonly onLookup: (path: string) => void;
}

type LintOnce = (onlooker: WatchObserver) => Promise<number>;

/** Lints now and whenever a file changes, until the signal; the last exit code is the answer. */
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
    const onlooker: WatchObserver = {
      onWrite: (path) => seen.refresh(path),
      onSearch: (search, found) => seen.queries.recordSearch(search, found),
      onLookup: (path) => seen.queries.recordLookup(path),
    };
    for (let code = await lint(onlooker); ; code = await lintAgain(io, () => lint(onlooker))) {
      if (signal?.aborted !== true)
        printMessage(io, `Watching ${pluralize(seen.targets.length, "file")}; press Ctrl-C to stop.`);
      let now: Snapshot;
      let changed: readonly string[];
      do {
        watch.watchOnly(seen.folders);
        // Looking comes after following, and once before waiting: something may have changed while we were linting.
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

/** What was well when the watch began, such as a baseline, may be broken for a while: that does not end it. */
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
