import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDraft, putInPlace } from "./durable-write.js";

/** Whoever looks at the path sees the old content or all of the new, even when we are killed half-way. */
export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (isSpecial(path)) writeFileSync(path, text);
  else putInPlace(openDraft(join(dirname(path), ".promptpack-")), path, Buffer.from(text));
}

/** A device such as /dev/stderr is written to, not replaced. */
function isSpecial(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}
