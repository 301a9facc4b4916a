import { accessSync, appendFileSync, constants, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { replaceAtomically } from "./durable-write.js";
import { makeFolders } from "./make-folders.js";
import { isLink, readRegularFile, statIfExists, FileError } from "./read-file.js";
import { realPathOf } from "./real-path.js";

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
