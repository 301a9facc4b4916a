import { createHash } from "node:crypto";
import { existsSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { describeIoError, errorCode } from "../files/read-file.js";
import { replaceAtomically, resolveLinks, sleepSync } from "../files/write-file.js";
import { UsageError } from "../terminal/messages.js";

/** In milliseconds. A turn takes far less, so an older lock is stale. */
const maxLockAge = 60_000;

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
      for (let retries = 40; ; retries--) {
        const lock = acquireLock(path);
        if (typeof lock === "string") {
          // Only killed processes leave these behind: nobody else writes while we have the lock.
          for (const name of siblingNames(path, /^\.lock\.[\da-f]+\.\d+\.\d+-\d+\.tmp$/u))
            rmSync(join(dirname(path), name), { force: true });
          return new RunFile(path, shown, lock);
        }
        if (retries === 0) {
          const name = path === named ? lock.name : join(dirname(path), lock.name);
          throw new UsageError(inUseMessage(shown, { ...lock, name }));
        }
        sleepSync(50);
      }
    });
  }

  /** A process that takes over the run removes our lock, then our temporary file, and only then reads the run. */
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
 * Each process writes its own lock before it looks for others: of two that try at once, at least one sees the other, so
 * they never both continue. Stale locks are removed.
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

/** Process ids are reused, so the age counts, too. Both times are from the file system's clock, which may be set back. */
function isRecent(lock: string, now: number): boolean {
  const written = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Math.abs(now - written) < maxLockAge;
}

/** Machines or containers that share a folder may have equal process ids. Hashed, since not all names are file names. */
function hostId(): string {
  let pidNamespace = "";
  try {
    pidNamespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has several.
  }
  return createHash("sha256").update(`${hostname()} ${pidNamespace}`).digest("hex").slice(0, 12);
}

/** The names beside the path that begin with its name and continue like this. */
function siblingNames(path: string, rest: RegExp): readonly string[] {
  const base = basename(path);
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(base) && rest.test(name.slice(base.length)),
  );
}

/** Processes on other machines cannot be checked, so they count as alive. */
function isAlive({ host, pid }: LockHolder): boolean {
  if (host !== hostId()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
