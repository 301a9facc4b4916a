import { watch, type FSWatcher } from "node:fs";
import { errorCode, statIfExists } from "../files/read-file.js";
import { UsageError } from "../terminal/usage-error.js";

/** Editors save in several steps: we wait until they have been quiet for so many milliseconds. */
const quietPeriod = 100;

/**
 * Tells when something in one of many folders changes. Folder by folder, since a recursive watch takes in node_modules,
 * and on Linux Node 20 makes it of one watch per file.
 */
export class FolderWatcher {
  private readonly watchers = new Map<string, FSWatcher>();
  private timer: NodeJS.Timeout | undefined;
  private hasChanged = false;
  private wake: () => void = () => undefined;
  private readonly onAbort = () => this.wake();

  constructor(private readonly signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", this.onAbort, { once: true });
  }

  /** Watches these folders and no others. One that was replaced by another of its name is another. */
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

  /** Waits for a change and the silence after it; false when the signal comes first. */
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

/** What is not there or must not be read is not linted either; its folder tells when that changes. */
const unwatchableCodes: ReadonlySet<string | undefined> = new Set(["ENOENT", "EACCES", "EPERM", "ELOOP"]);

function folderKey(folder: string): string {
  try {
    return `${statIfExists(folder)?.ino ?? ""} ${folder}`;
  } catch {
    return ` ${folder}`;
  }
}
