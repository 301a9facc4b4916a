import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import process from "node:process";
import { realPathOf } from "./paths.js";
import { errorCode, FileError, isLink, readRegularFile, statIfExists } from "./read-file.js";

/**
 * Whoever looks at the path sees the old content or all of the new, even when we are killed half-way. A link leads where
 * it led; mode and owner stay.
 */
export function writeFileAtomically(cwd: string, file: string, text: string): void {
  if (file.endsWith("/") || file.endsWith(sep)) throw new FileError("is a folder");
  const path = resolve(cwd, file);
  if (isDevice(path)) {
    appendFileSync(path, text);
    return;
  }
  const target = resolveLinks(path);
  makeFolders(dirname(target));
  replaceAtomically(join(dirname(target), ".promptpack-"), target, Buffer.from(text));
}

/** Puts new content in the place of a file that was read as `old`. Links lead where they led; mode and owner stay. */
export function replaceFile(path: string, old: Uint8Array, content: Uint8Array): void {
  const target = realpathSync(path);
  accessSync(target, constants.W_OK);
  replaceAtomically(join(dirname(target), ".promptpack-"), target, content, () => {
    if (Buffer.compare(readRegularFile(target, old.length), old) !== 0) {
      throw new FileError("changed while it was being fixed, so it was left alone");
    }
  });
}

/** Where links lead, also if nothing is there yet. */
export function resolveLinks(path: string): string {
  if (statIfExists(path) !== undefined || !isLink(path)) return realPathOf(path);
  return resolveLinks(resolve(realPathOf(dirname(path)), readlinkSync(path)));
}

/** A device such as /dev/stderr is written to, not replaced, also where it has been led into a file. */
function isDevice(path: string): boolean {
  if (/^\/(?:dev|proc)\//u.test(path) && isLink(path)) return true;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/**
 * Puts new content in the place of a file, through a draft whose name begins with the prefix. Whoever looks, even after we
 * were killed or the machine stopped, finds the old content or all of the new. A file that is there keeps its owner and
 * mode. `confirm` is called last before the target is replaced; what it throws keeps the target as it is.
 */
export function replaceAtomically(
  prefix: string,
  target: string,
  content: Uint8Array,
  confirm: () => void = () => undefined,
): void {
  const old = statSync(target, { throwIfNoEntry: false });
  const draft = openTempFile(prefix, old === undefined ? 0o666 : 0o600);
  try {
    try {
      writeAll(draft.descriptor, content);
      if (old !== undefined) copyOwnerAndMode(draft.descriptor, old);
      fsyncSync(draft.descriptor);
    } finally {
      closeSync(draft.descriptor);
    }
    retryWhileLocked(() => {
      confirm();
      renameSync(draft.path, target);
    });
  } catch (error) {
    rmSync(draft.path, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

/** A new file beside the target, as the prefix says: only within one file system is a rename a single step. */
function openTempFile(prefix: string, mode: number): { readonly path: string; readonly descriptor: number } {
  for (let number = 0; ; number++) {
    const path = `${prefix}${process.pid}-${number}.tmp`;
    try {
      return { path, descriptor: openSync(path, "wx", mode) };
    } catch (error) {
      // Left behind by a run that was killed.
      if (errorCode(error) !== "EEXIST" || number > 1_000) throw error;
    }
  }
}

const lockRetries = { tries: 10, milliseconds: 50 };

/** On Windows nothing can be renamed while a virus scanner or an indexer looks at it, which takes them a moment. */
function retryWhileLocked(rename: () => void): void {
  for (let left = lockRetries.tries; ; left--) {
    try {
      rename();
      return;
    } catch (error) {
      const isHeld = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
      if (process.platform !== "win32" || !isHeld || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockRetries.milliseconds);
    }
  }
}

function copyOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(descriptor);
  // Only the administrator may give files away, and some disks keep no modes; the content matters more.
  if (own.uid !== uid || own.gid !== gid) ignoreErrors(() => fchownSync(descriptor, uid, gid));
  ignoreErrors(() => fchmodSync(descriptor, mode & 0o7777));
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // Left as it is.
  }
}

/** One write may take only a part, as on a disk that is nearly full. */
function writeAll(descriptor: number, content: Uint8Array): void {
  let written = 0;
  while (written < content.length) {
    written += writeSync(descriptor, content, written, content.length - written);
  }
}

/** So that the rename outlives a power failure. Where a folder cannot be synced, the rename is atomic all the same. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL", "EBADF"].includes(errorCode(error) ?? "")) throw error;
  }
}

/**
 * Makes a folder, and those above it that are not there. Level by level: Node's own way of doing so never ends where
 * nobody can make a folder, as in /proc.
 */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let level = folder; !existsSync(level) && dirname(level) !== level; level = dirname(level)) {
    missing.push(level);
  }
  for (const level of missing.reverse()) makeFolder(level);
}

/** Another process may have made it meanwhile. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
