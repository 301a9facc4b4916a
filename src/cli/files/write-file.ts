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
import { hostId, isInUse, ownedFiles } from "./owned-files.js";
import { realPathOf } from "./paths.js";
import { errorCode, FileError, isLink, readRegularFile, statIfExists } from "./read-file.js";

/** Creates or replaces a file in one step. Links keep their targets, and the file keeps its mode and owner. */
export function writeFileAtomically(cwd: string, file: string, content: string | Iterable<string>): void {
  const pieces = typeof content === "string" ? [content] : content;
  if (file.endsWith("/") || file.endsWith(sep)) throw new FileError("is a folder");
  const path = resolve(cwd, file);
  if (isDevice(path)) {
    for (const piece of pieces) appendFileSync(path, piece);
    return;
  }
  const target = resolveLinks(path);
  makeFolders(dirname(target));
  removeAbandonedDrafts(dirname(target));
  replaceAtomically(draftPrefix(target), target, pieces);
}

/** Replaces a file that was read as `old`, unless it has changed since. */
export function replaceFile(path: string, old: Uint8Array, content: Uint8Array): void {
  const target = realpathSync(path);
  accessSync(target, constants.W_OK);
  replaceAtomically(draftPrefix(target), target, [content], () => {
    if (Buffer.compare(readRegularFile(target, old.length), old) !== 0) {
      throw new FileError("changed while it was being fixed, so it was left alone");
    }
  });
}

function draftPrefix(target: string): string {
  return join(dirname(target), `.promptpack-${hostId()}.`);
}

/** Removes what killed processes left in a folder while they replaced its files. */
export function removeAbandonedDrafts(folder: string): void {
  ignoreErrors(() => {
    for (const file of ownedFiles(folder, ".promptpack-", /^([\da-f]+)\.(\d+)-\d+\.tmp$/u))
      if (!isInUse(file, Date.now())) rmSync(file.path, { force: true });
  });
}

/** The target of links, which need not exist yet. */
export function resolveLinks(path: string): string {
  if (statIfExists(path) !== undefined || !isLink(path)) return realPathOf(path);
  return resolveLinks(resolve(realPathOf(dirname(path)), readlinkSync(path)));
}

/** A device such as /dev/stderr is written to, not replaced, even if it is redirected to a file. */
function isDevice(path: string): boolean {
  if (/^\/(?:dev|proc)\//u.test(path) && isLink(path)) return true;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/**
 * Replaces a file by a temporary one whose name begins with the prefix: even after a crash, it has the old content or all
 * of the new. Owner and mode are kept. `confirm` runs just before the rename and may throw to prevent it.
 */
export function replaceAtomically(
  prefix: string,
  target: string,
  content: Iterable<string | Uint8Array>,
  confirm: () => void = () => undefined,
): void {
  const old = statSync(target, { throwIfNoEntry: false });
  const temp = openTempFile(prefix, old === undefined ? 0o666 : 0o600);
  try {
    try {
      for (const piece of content) writeAll(temp.descriptor, Buffer.from(piece));
      if (old !== undefined) copyOwnerAndMode(temp.descriptor, old);
      fsyncSync(temp.descriptor);
    } finally {
      closeSync(temp.descriptor);
    }
    retryWhileLocked(() => {
      confirm();
      renameSync(temp.path, target);
    });
  } catch (error) {
    rmSync(temp.path, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

/** The prefix is in the target's folder: a rename is atomic only within one file system. */
function openTempFile(prefix: string, mode: number): { readonly path: string; readonly descriptor: number } {
  for (let number = 0; ; number++) {
    const path = `${prefix}${process.pid}-${number}.tmp`;
    try {
      return { path, descriptor: openSync(path, "wx", mode) };
    } catch (error) {
      // A killed run may have left one behind.
      if (errorCode(error) !== "EEXIST" || number > 1_000) throw error;
    }
  }
}

/** On Windows, a file cannot be renamed while a virus scanner or an indexer has it open for a moment. */
function retryWhileLocked(rename: () => void): void {
  for (let retries = 10; ; retries--) {
    try {
      rename();
      return;
    } catch (error) {
      const isLocked = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
      if (process.platform !== "win32" || !isLocked || retries === 0) throw error;
      sleepSync(50);
    }
  }
}

export function sleepSync(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function copyOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(descriptor);
  // Only an administrator may change owners, and some disks have no modes; the content matters more.
  if (own.uid !== uid || own.gid !== gid) ignoreErrors(() => fchownSync(descriptor, uid, gid));
  ignoreErrors(() => fchmodSync(descriptor, mode & 0o7777));
}

export function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // Not essential.
  }
}

/** A single write may be partial, as on a disk that is nearly full. */
function writeAll(descriptor: number, content: Uint8Array): void {
  let written = 0;
  while (written < content.length) {
    written += writeSync(descriptor, content, written, content.length - written);
  }
}

/** Makes the rename survive a power failure, on systems where folders can be synced. */
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

/** Makes a folder and its parents. Node's `recursive` option loops forever where no folder can be made, as in /proc. */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let level = folder; !existsSync(level) && dirname(level) !== level; level = dirname(level)) {
    missing.push(level);
  }
  for (const level of missing.reverse()) {
    try {
      mkdirSync(level);
    } catch (error) {
      // Another process may have made it meanwhile.
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}
