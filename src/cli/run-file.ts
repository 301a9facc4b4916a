import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { codeOf } from "./read-file.js";
import { UsageError } from "./usage-error.js";

const patience = { tries: 40, milliseconds: 50 };

/** The file of a run, held by one process at a time. Whenever we are killed, it is as it was or as it should be. */
export class RunFile {
  private constructor(
    readonly path: string,
    private readonly lock: string,
  ) {}

  static open(path: string, shown: string): RunFile {
    for (let left = patience.tries; ; left--) {
      const lock = takeLock(path);
      if (typeof lock === "string") {
        const file = new RunFile(path, lock);
        file.sweep();
        return file;
      }
      if (left === 0) {
        throw new UsageError(
          `"${shown}" is in use by process ${lock.pid}; if that is no promptpack, remove "${lock.name}".`,
        );
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience.milliseconds);
    }
  }

  /** Write beside, sync, rename, and sync the folder, so that not even a power cut can tear it. */
  write(text: string): void {
    const draft = `${this.path}.${process.pid}.tmp`;
    const descriptor = openSync(draft, "w");
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, this.path);
    syncFolder(dirname(this.path));
  }

  close(): void {
    rmSync(this.lock, { force: true });
  }

  /** Takes away the drafts of processes that were killed; nobody else writes while we hold the lock. */
  private sweep(): void {
    for (const name of siblings(this.path, /^\.\d+\.tmp$/u))
      rmSync(join(dirname(this.path), name), { force: true });
  }
}

interface Holder {
  readonly name: string;
  readonly pid: number;
}

/**
 * Every process first puts up a lock of its own and only then looks for others: of two that try at once, the one that
 * looks last sees the other, so they never both go on. A lock whose process is gone counts for nothing.
 */
function takeLock(path: string): string | Holder {
  const folder = dirname(path);
  const own = `${basename(path)}.lock.${process.pid}`;
  writeFileSync(join(folder, own), hostname());
  for (const name of siblings(path, /^\.lock\.\d+$/u)) {
    if (name === own) continue;
    const pid = Number(name.slice(name.lastIndexOf(".") + 1));
    if (isHeld(join(folder, name), pid)) {
      rmSync(join(folder, own), { force: true });
      return { name, pid };
    }
    rmSync(join(folder, name), { force: true });
  }
  return join(folder, own);
}

/** The names in the folder that are the path's and go on like this. */
function siblings(path: string, rest: RegExp): readonly string[] {
  const base = basename(path);
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(base) && rest.test(name.slice(base.length)),
  );
}

/** A process of another machine cannot be asked, so it is taken to be alive. */
function isHeld(lock: string, pid: number): boolean {
  try {
    const host = readFileSync(lock, "utf8");
    if (host !== "" && host !== hostname()) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Some systems cannot sync a folder; the rename is atomic there all the same. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL", "EBADF"].includes(codeOf(error) ?? "")) throw error;
  }
}
