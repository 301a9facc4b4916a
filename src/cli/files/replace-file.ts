import { accessSync, constants, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceInPlace } from "./durable-write.js";
import { readRegularFile, Unreadable } from "./read-file.js";

/** Puts new content in the place of a file that was read as `old`. Links lead where they led; mode and owner stay. */
export function replaceFile(path: string, old: Uint8Array, content: Uint8Array): void {
  const target = realpathSync(path);
  accessSync(target, constants.W_OK);
  replaceInPlace(join(dirname(target), ".promptpack-"), target, content, () => {
    if (Buffer.compare(readRegularFile(target, old.length), old) !== 0) {
      throw new Unreadable("changed while it was being fixed, so it was left alone");
    }
  });
}
