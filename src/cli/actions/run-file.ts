import { createHash } from "node:crypto";
import { existsSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { describeIoError, errorCode } from "../files/read-file.js";
import { replaceAtomically, resolveLinks } from "../files/write-file.js";
import { UsageError } from "../terminal/messages.js";

const lockRetries = { tries: 40, milliseconds: 50 };
/** In milliseconds. A turn takes far less: a lock older than this was left behind. */
const maxLockAge = 60_000;

/** The file of a run, held by one process at a time. Whenever we are killed, it is as it was or as it should be. */
export class RunFile {
  private constructor(
    readonly path: string,
    readonly shown: string,
    private readonly lock: string,
  ) {}

  /** By whatever name it is called, a run is one file with one lock. */
  static open(named: string, shown: string): RunFile {
    return withUsageErrors(shown, () => {
      const path = resolveLinks(named);
      for (let left = lockRetries.tries; ; left--) {
        const lock = acquireLock(path);
        if (typeof lock === "string") {
          const file = new RunFile(path, shown, lock);
          file.removeStaleDrafts();
          return file;
        }
        if (left === 0) {
          const name = path === named ? lock.name : join(dirname(path), lock.name);
          throw new UsageError(inUseMessage(shown, { ...lock, name }));
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockRetries.milliseconds);
      }
    });
  }

  /**
   * Whoever takes the run from us takes away our lock, then our draft, and only then reads: what we write comes before
   * that or not at all.
   */
  write(text: string): void {
    const confirm = (): void => void statSync(this.lock);
    try {
      withUsageErrors(this.shown, () =>
        replaceAtomically(`${this.lock}.`, this.path, Buffer.from(text), confirm),
      );
    } catch (error) {
      if (existsSync(this.lock)) throw error;
      throw new UsageError(
        `"${this.shown}" was not saved, because its lock was taken away, perhaps by a process that took over the run: take this turn again.`,
      );
    }
  }

  close(): void {
    rmSync(this.lock, { force: true });
  }

  /** Takes away the drafts of processes that were killed; nobody else writes while we hold the lock. */
  private removeStaleDrafts(): void {
    for (const name of siblingNames(this.path, /^\.lock\.[\da-f]+\.\d+\.\d+-\d+\.tmp$/u))
      rmSync(join(dirname(this.path), name), { force: true });
  }
}

/** A disk that does not do as it should is told in a sentence. */
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

interface LockHolder {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
}

function inUseMessage(shown: string, { name, host, pid }: LockHolder): string {
  const where = host === hostId() ? "" : " on another machine or in another container";
  return `"${shown}" is in use by process ${pid}${where}; try again in a minute, or, if that process is not promptpack, remove "${name}".`;
}

/**
 * Every process first puts up a lock of its own and only then looks for others: of two that try at once, the one that
 * looks last sees the other, so they never both go on. A lock that was left behind counts for nothing.
 */
function acquireLock(path: string): string | LockHolder {
  const folder = dirname(path);
  const own = join(folder, `${basename(path)}.lock.${hostId()}.${process.pid}`);
  writeFileSync(own, hostname());
  const now = statSync(own).mtimeMs;
  for (const name of siblingNames(path, /^\.lock\.[\da-f]+\.\d+$/u)) {
    const lock = join(folder, name);
    if (lock === own) continue;
    const [host = "", pid = ""] = name.split(".").slice(-2);
    const holder = { name, host, pid: Number(pid) };
    if (isRecent(lock, now) && isAlive(holder)) {
      rmSync(own, { force: true });
      return holder;
    }
    rmSync(lock, { force: true });
  }
  return own;
}

/**
 * A process of another container cannot be asked whether it is alive, and the number of a dead one may be another's by
 * now. Both times are of the clock of one file system, which may have been set back.
 */
function isRecent(lock: string, now: number): boolean {
  const written = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Math.abs(now - written) < maxLockAge;
}

/**
 * Two machines that share a folder may have processes of one number, and so may two containers of one name. A host may
 * have a name no file can have.
 */
function hostId(): string {
  return createHash("sha256").update(`${hostname()} ${pidNamespace()}`).digest("hex").slice(0, 12);
}

/** Which numbering of processes ours belongs to, where there are several. */
function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** The names in the folder that are the path's and go on like this. */
function siblingNames(path: string, rest: RegExp): readonly string[] {
  const base = basename(path);
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(base) && rest.test(name.slice(base.length)),
  );
}

/** A process of another machine cannot be asked, so it is taken to be alive. */
function isAlive({ host, pid }: LockHolder): boolean {
  if (host !== hostId()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
