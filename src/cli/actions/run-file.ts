import { existsSync, lstatSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import {
  HeldFolder,
  hostId,
  inFolder,
  isInUse,
  type OwnedFile,
  resolveTarget,
  sleepSync,
} from "../files/write-file.js";
import { tryTo } from "../../text/collections.js";
import { artifactFolder, workspaceFiles } from "../../agentic/loop-files.js";
import type { StepRun } from "../../step/step-run.js";
import { exactJson } from "../../text/escape.js";
import { describeIoError, errorCode, FileError, readRegularFile } from "../files/read-file.js";
import { UsageError } from "../terminal/io.js";

/** How long to wait for the turn of one process, in milliseconds. Others may take theirs before us. */
const patience = 2_000;

/** The file of a run, locked by one process at a time and always written in one step. */
export class RunFile {
  private constructor(
    private readonly folder: HeldFolder,
    private readonly name: string,
    readonly shown: string,
    private readonly lock: string,
  ) {}

  /** Links are resolved first, so that a run has one lock. */
  static open(named: string, shown: string): RunFile {
    return withUsageErrors(shown, () => {
      const path = resolveTarget(named);
      const folder = HeldFolder.open(dirname(path));
      const name = basename(path);
      const file = new RunFile(folder, name, shown, `${name}.lock.${hostId()}.${process.pid}`);
      try {
        const holder = file.acquireLock();
        if (holder !== undefined) {
          const lock = path === named ? holder.name : join(folder.path, holder.name);
          throw new UsageError(inUseMessage(shown, lock, holder));
        }
        // Only killed processes leave these behind: nobody else writes while we have the lock.
        for (const draft of file.siblings(/^([\da-f]+)\.(\d+)\.\d+-\d+\.tmp$/u)) folder.remove(draft.name);
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
    this.unlock();
    for (;;) {
      if (this.statLock()?.isFile() !== true) this.folder.create(this.lock, hostname());
      const others = this.otherLocks();
      const [oldest] = others;
      if (oldest === undefined) return undefined;
      if (others.some(({ name }) => name < this.lock)) this.unlock();
      if (oldest.name !== holder?.name) [holder, waited] = [oldest, 0];
      if (waited >= patience) return holder;
      // Not all of those who wait wake up at once.
      const pause = 10 + Math.random() * 40;
      sleepSync(pause);
      waited += pause;
    }
  }

  /** The oldest is that of the process whose turn it is. Stale ones are removed. */
  private otherLocks(): readonly OwnedFile[] {
    const now = this.statLock()?.mtimeMs ?? Date.now();
    const others = this.siblings(/^([\da-f]+)\.(\d+)$/u).filter((lock) => {
      if (lock.name === this.lock) return false;
      if (isInUse(lock, now)) return true;
      this.folder.remove(lock.name);
      return false;
    });
    return others.sort((a, b) => a.written - b.written);
  }

  private siblings(rest: RegExp): readonly OwnedFile[] {
    return this.folder.owned(`${this.name}.lock.`, rest);
  }

  /** A process that takes over the run removes our lock, then our temporary file, and only then reads the run. */
  write(text: string): void {
    const { folder, lock } = this;
    const options = { prefix: `${lock}.`, confirm: () => void lstatSync(folder.at(lock)) };
    try {
      withUsageErrors(this.shown, () => folder.put(this.name, [text], options));
    } catch (error) {
      if (existsSync(folder.at(lock))) throw error;
      throw new UsageError(
        `"${this.shown}" was not saved, because its lock was taken away, perhaps by a process that took over the run: take this turn again.`,
      );
    }
  }

  close(): void {
    this.unlock();
    this.folder.close();
  }

  private statLock() {
    return lstatSync(this.folder.at(this.lock), { throwIfNoEntry: false });
  }

  private unlock(): void {
    tryTo(() => this.folder.remove(this.lock));
  }
}

/**
 * Makes what a workspace lacks, and appends the events of a turn to its trace. A turn that was killed may have done so: if it
 * is taken again, its events replace those, which differ in their times.
 */
export function writeWorkspace(named: string, shown: string, run: StepRun, maxBytes: number): void {
  const events = run.outbox.map((event) => exactJson(event));
  const content: Readonly<Record<string, string>> = {
    "context.md": `# Context\n\nRun: ${run.runId}\n\nGoal: ${run.goal}\n`,
    "memory.md": "# Memory\n",
    "plan.md": "# Plan\n",
  };
  withUsageErrors(shown, () => {
    const path = resolveTarget(named);
    inFolder(join(path, artifactFolder), true, () => undefined);
    inFolder(path, false, (folder) => {
      folder.removeAbandonedDrafts();
      for (const name of workspaceFiles)
        if (lstatSync(folder.at(name), { throwIfNoEntry: false })?.isFile() !== true)
          folder.put(name, [content[name] ?? ""], { isNew: true });
      const bytes = readRegularFile(folder.at("trace.jsonl"), maxBytes, false);
      if (bytes.length > maxBytes) throw new FileError("has a trace that is too large to read");
      const lines = Buffer.from(bytes)
        .toString()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => `${line}\n`);
      const timeless = (text: readonly string[]) =>
        text.join("").replace(/"(?:requested|completed)_at":"[^"]*"/gu, "");
      const end = Math.max(0, lines.length - events.length);
      if (lines.slice(end).join("") === events.join("")) return;
      const isAgain = timeless(lines.slice(end)) === timeless(events);
      folder.put("trace.jsonl", [...(isAgain ? lines.slice(0, end) : lines), ...events]);
    });
  });
}

function withUsageErrors<T>(shown: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof FileError)) throw error;
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
