import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./read-file.js";

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
