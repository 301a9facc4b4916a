import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import process from "node:process";
import { hostId, isInUse, type OwnedFile, ownedFiles } from "../files/owned-files.js";
import { describeIoError, errorCode } from "../files/read-file.js";
import { ignoreErrors, replaceAtomically, resolveLinks, sleepSync } from "../files/write-file.js";
import { UsageError } from "../terminal/messages.js";

/** How long to wait for the turn of one process, in milliseconds. Others may take theirs before us. */
const patience = 2_000;

/** The file of a run, locked by one process at a time and always written in one step. */
export class RunFile {
  private constructor(
    readonly path: string,
    readonly shown: string,
    private readonly lock: string,
  ) {}

  /** Links are resolved first, so that a run has one lock. */
  static open(named: string, shown: string): RunFile {
    return withUsageErrors(shown, () => {
      const path = resolveLinks(named);
      const file = new RunFile(path, shown, `${path}.lock.${hostId()}.${process.pid}`);
      try {
        const holder = file.acquireLock();
        if (holder !== undefined) {
          const name = path === named ? basename(holder.path) : holder.path;
          throw new UsageError(inUseMessage(shown, name, holder));
        }
        // Only killed processes leave these behind: nobody else writes while we have the lock.
        for (const draft of file.siblings(/^([\da-f]+)\.(\d+)\.\d+-\d+\.tmp$/u))
          rmSync(draft.path, { force: true });
        return file;
      } catch (error) {
        file.close();
        throw error;
      }
    });
  }

  /**
   * Burns' algorithm: each process shows its lock before it looks for others. It withdraws the lock while it sees one whose
   * name comes first, and waits for those whose names come later, so that one of them goes on, and never two at once.
   * Returns the process that we waited for in vain.
   */
  private acquireLock(): OwnedFile | undefined {
    let [holder, waited]: [OwnedFile | undefined, number] = [undefined, 0];
    // A process that had our id may have been killed.
    this.close();
    for (;;) {
      if (statSync(this.lock, { throwIfNoEntry: false })?.isFile() !== true)
        writeFileSync(this.lock, hostname(), { flag: "wx" });
      const others = this.otherLocks();
      const [oldest] = others;
      if (oldest === undefined) return undefined;
      if (others.some(({ path }) => path < this.lock)) rmSync(this.lock, { force: true });
      if (oldest.path !== holder?.path) [holder, waited] = [oldest, 0];
      if (waited >= patience) return holder;
      // Not all of those who wait wake up at once.
      const pause = 10 + Math.random() * 40;
      sleepSync(pause);
      waited += pause;
    }
  }

  /** The oldest is that of the process whose turn it is. Stale ones are removed. */
  private otherLocks(): readonly OwnedFile[] {
    const now = statSync(this.lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    const others = this.siblings(/^([\da-f]+)\.(\d+)$/u).filter((lock) => {
      if (lock.path === this.lock) return false;
      if (isInUse(lock, now)) return true;
      rmSync(lock.path, { force: true });
      return false;
    });
    return others.sort((a, b) => a.written - b.written);
  }

  private siblings(rest: RegExp): readonly OwnedFile[] {
    return ownedFiles(dirname(this.path), `${basename(this.path)}.lock.`, rest);
  }

  /** A process that takes over the run removes our lock, then our temporary file, and only then reads the run. */
  write(text: string): void {
    const confirm = (): void => void statSync(this.lock);
    try {
      withUsageErrors(this.shown, () => replaceAtomically(`${this.lock}.`, this.path, [text], confirm));
    } catch (error) {
      if (existsSync(this.lock)) throw error;
      throw new UsageError(
        `"${this.shown}" was not saved, because its lock was taken away, perhaps by a process that took over the run: take this turn again.`,
      );
    }
  }

  close(): void {
    ignoreErrors(() => rmSync(this.lock, { force: true }));
  }
}

function withUsageErrors<T>(shown: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const why =
      errorCode(error) === "ENOENT"
        ? "cannot be written: its folder does not exist"
        : describeIoError(error, "written");
    throw new UsageError(`"${shown}" ${why}.`);
  }
}

function inUseMessage(shown: string, name: string, { host, pid }: OwnedFile): string {
  const where = host === hostId() ? "" : " on another machine or in another container";
  return `"${shown}" is in use by process ${pid}${where}; try again in a minute, or, if that process is not promptpack, remove "${name}".`;
}
