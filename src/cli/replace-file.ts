import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { codeOf, readRegularFile, Unreadable } from "./read-file.js";

/**
 * Puts new content in the place of a file that was read as `old`. Whoever looks, even after we were killed or the
 * machine stopped, finds the old content or all of the new. Links lead where they led; mode and owner stay.
 */
export function replaceFile(path: string, old: Uint8Array, content: Uint8Array): void {
  const target = realpathSync(path);
  accessSync(target, constants.W_OK);
  const draft = openDraft(dirname(target));
  try {
    try {
      writeAll(draft.descriptor, content);
      keepOwnerAndMode(draft.descriptor, statSync(target));
      fsyncSync(draft.descriptor);
    } finally {
      closeSync(draft.descriptor);
    }
    if (Buffer.compare(readRegularFile(target, old.length), old) !== 0) {
      throw new Unreadable("changed while it was being repaired, and is left as it is now");
    }
    renameSync(draft.path, target);
  } catch (error) {
    rmSync(draft.path, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

/** Beside the file: only within one file system is a rename a single step. */
function openDraft(folder: string): { readonly path: string; readonly descriptor: number } {
  for (let number = 0; ; number++) {
    const path = join(folder, `.promptpack-${process.pid}-${number}.tmp`);
    try {
      return { path, descriptor: openSync(path, "wx", 0o600) };
    } catch (error) {
      // Left behind by a run that was killed.
      if (codeOf(error) !== "EEXIST" || number > 1_000) throw error;
    }
  }
}

function writeAll(descriptor: number, content: Uint8Array): void {
  let written = 0;
  while (written < content.length) {
    written += writeSync(descriptor, content, written, content.length - written);
  }
}

function keepOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(descriptor);
  if (own.uid !== uid || own.gid !== gid) {
    try {
      fchownSync(descriptor, uid, gid);
    } catch {
      // Only the administrator may give files away; the content matters more.
    }
  }
  fchmodSync(descriptor, mode & 0o7777);
}

/** So that the rename outlives a power failure. Not every system lets a folder be opened. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file itself is safe.
  }
}
