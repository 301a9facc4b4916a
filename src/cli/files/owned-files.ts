import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { lazy } from "../../text/collections.js";
import { errorCode } from "./read-file.js";

/** A draft or a lock, whose name contains the process that made it. */
export interface OwnedFile {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** In milliseconds, by the clock of the file system. */
  readonly written: number;
}

/** The files of a folder whose names begin like this; the rest captures the host and the process id. */
export function ownedFiles(folder: string, start: string, rest: RegExp): readonly OwnedFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() || !entry.name.startsWith(start)) return [];
    const [, host, pid] = rest.exec(entry.name.slice(start.length)) ?? [];
    if (host === undefined) return [];
    const { name } = entry;
    const written = lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    return written === undefined ? [] : [{ name, host, pid: Number(pid), written }];
  });
}

/** In milliseconds. Drafts and locks are needed for far less. */
const maxAge = 60_000;

/** Process ids are reused, so the age counts, too. The clock may have been set back. */
export function isInUse({ host, pid, written }: OwnedFile, now: number): boolean {
  return Math.abs(now - written) < maxAge && isAlive(host, pid);
}

/** Processes on other machines cannot be checked, so they count as alive. */
function isAlive(host: string, pid: number): boolean {
  if (host !== hostId()) return true;
  // We look only while we have none, so an earlier process with our id made it.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Machines or containers that share a folder may have equal process ids. Hashed, since not all names are file names. */
export const hostId = lazy(() => {
  let pidNamespace = "";
  try {
    pidNamespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has several.
  }
  // Loaded late: it takes longer than linting a small pack.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(`${hostname()} ${pidNamespace}`).digest("hex").slice(0, 12);
});
