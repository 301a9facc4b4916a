import { count } from "../../words/wording.js";
import { shownPath } from "../files/shown-path.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/say.js";
import { UsageError } from "../terminal/usage-error.js";
import type { Search } from "./asked.js";
import { FolderWatch } from "./folder-watch.js";
import { Snapshot } from "./snapshot.js";

/** Who is told what a run of `lint` does to files, and what it asks of others than those that it lints. */
export interface Onlooker {
  /** A file was fixed. */
  readonly wrote: (path: string) => void;
  /** Routes were searched for, and found, but not yet read. */
  readonly searched: (search: Search, found: readonly string[]) => void;
  /** A path is about to be looked for. */
  readonly lookedFor: (path: string) => void;
}

type Lint = (onlooker: Onlooker) => Promise<number>;

/** Lints now and whenever a file changes, until the signal; the last exit code is the answer. */
export async function watchFiles(
  io: Io,
  paths: readonly string[],
  request: LintRequest,
  lint: Lint,
): Promise<number> {
  if (paths.includes("-")) throw new UsageError("Standard input cannot be watched: name files or folders.");
  const { signal } = io;
  const watch = new FolderWatch(signal);
  try {
    let seen = new Snapshot(io.cwd, paths, request);
    const onlooker: Onlooker = {
      wrote: (path) => seen.renew(path),
      searched: (search, found) => seen.asked.searched(search, found),
      lookedFor: (path) => seen.asked.lookedFor(path),
    };
    for (let code = await lint(onlooker); ; code = await lintAgain(io, () => lint(onlooker))) {
      if (signal?.aborted !== true)
        say(io, `Watching ${count(seen.targets.length, "file")}; press Ctrl-C to stop.`);
      let now: Snapshot;
      let changed: readonly string[];
      do {
        watch.follow(seen.folders);
        // Looking comes after following, and once before waiting: something may have changed while we were linting.
        now = new Snapshot(io.cwd, paths, request, seen);
        changed = now.since(seen);
        watch.follow(now.folders);
      } while (changed.length === 0 && (await watch.stirs()));
      if (changed.length === 0) return code;
      say(io, `${shownPaths(changed, io.cwd)} changed.`);
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
    say(io, error.message);
    return 2;
  }
}

function shownPaths(paths: readonly string[], cwd: string): string {
  const [first = "", ...more] = paths.map((path) => `"${shownPath(path, cwd)}"`);
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}
