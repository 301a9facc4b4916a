import { realpathSync } from "node:fs";

/** Where a path leads; the path itself where nothing is there yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
