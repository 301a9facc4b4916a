import { join, resolve } from "node:path";
import { boundaryOf } from "./ignore-files.js";
import { readTextOrEmpty } from "./read-file.js";

/**
 * Whether git may keep files of the repository around a folder from the disk, so that one that is not there need not be
 * gone. Its settings are read: git itself is started only for those who ask what changed.
 */
export function isSparseCheckout(folder: string): boolean {
  const top = boundaryOf(folder, folder);
  // In a further working tree, a file says where git keeps what it knows of it.
  const place = resolve(top, /^gitdir: (.*)$/mu.exec(readTextOrEmpty(join(top, ".git")))?.[1] ?? ".git");
  const settings = ["config", "config.worktree"].map((name) => readTextOrEmpty(join(place, name))).join("\n");
  const [, value] = [...settings.matchAll(/^\s*sparseCheckout\s*=\s*(\w+)/gimu)].at(-1) ?? [];
  return value === "true";
}
