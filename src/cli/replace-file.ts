import {
  accessSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { openDraft, putInPlace } from "./durable-write.js";
import { readRegularFile, Unreadable } from "./read-file.js";

/** Puts new content in the place of a file that was read as `old`. Links lead where they led; mode and owner stay. */
export function replaceFile(path: string, old: Uint8Array, content: Uint8Array): void {
  const target = realpathSync(path);
  accessSync(target, constants.W_OK);
  putInPlace(openDraft(join(dirname(target), ".promptpack-"), 0o600), target, content, {
    finish: (descriptor) => keepOwnerAndMode(descriptor, statSync(target)),
    confirm: () => {
      if (Buffer.compare(readRegularFile(target, old.length), old) !== 0) {
        throw new Unreadable("changed while it was being repaired, and is left as it is now");
      }
    },
  });
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
