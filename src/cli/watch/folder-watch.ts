import { watch, type FSWatcher } from "node:fs";
import { codeOf, statsOf } from "../files/read-file.js";
import { UsageError } from "../terminal/usage-error.js";

/** Editors save in several steps: we wait until they have been quiet for so many milliseconds. */
const pause = 100;

/**
 * Tells when something in one of many folders changes. Folder by folder, since a recursive watch takes in node_modules,
 * and on Linux Node 20 makes it of one watch per file.
 */
export class FolderWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  private timer: NodeJS.Timeout | undefined;
  private stirred = false;
  private wake: () => void = () => undefined;
  private readonly onAbort = () => this.wake();

  constructor(private readonly signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", this.onAbort, { once: true });
  }

  /** Watches these folders and no others. One that was replaced by another of its name is another. */
  follow(folders: ReadonlySet<string>): void {
    const wanted = new Map([...folders].map((folder) => [keyOf(folder), folder]));
    for (const [key, watcher] of this.watchers) {
      if (wanted.has(key)) continue;
      watcher.close();
      this.watchers.delete(key);
    }
    for (const [key, folder] of wanted) {
      if (!this.watchers.has(key)) this.begin(key, folder);
    }
  }

  /** Waits for a change and the silence after it; false when the signal comes first. */
  async stirs(): Promise<boolean> {
    while (!this.stirred && this.signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.stirred = false;
    return this.signal?.aborted !== true;
  }

  close(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.close();
    this.signal?.removeEventListener("abort", this.onAbort);
  }

  private begin(key: string, folder: string): void {
    try {
      const watcher = watch(folder, () => this.stir());
      watcher.on("error", () => this.stir());
      this.watchers.set(key, watcher);
    } catch (error) {
      if (outOfReach.has(codeOf(error))) return;
      throw new UsageError(`"${folder}" cannot be watched (${codeOf(error) ?? "unknown reason"}).`);
    }
  }

  private stir(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.stirred = true;
      this.wake();
    }, pause);
  }
}

/** What is not there or must not be read is not linted either; its folder tells when that changes. */
const outOfReach: ReadonlySet<string | undefined> = new Set(["ENOENT", "EACCES", "EPERM", "ELOOP"]);

function keyOf(folder: string): string {
  try {
    return `${statsOf(folder)?.ino ?? ""} ${folder}`;
  } catch {
    return ` ${folder}`;
  }
}
