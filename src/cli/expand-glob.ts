import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { findPacks, isFolder, walk } from "./find-packs.js";
import { compileGlob } from "./glob.js";
import { slashed } from "./shown-path.js";

/** The files a glob matches, and the packs in the folders it matches, as if a shell had expanded it. */
export function expandGlob(pattern: string, cwd: string, troubles: string[]): readonly string[] {
  const { base, rest } = split(slashed(pattern));
  const folder = resolve(cwd, base);
  if (!existsSync(folder)) return [];
  const matches = compileGlob(rest, { dot: false, braces: true });
  const depth = rest.includes("**") ? Infinity : rest.split("/").length;
  const files: string[] = [];
  for (const { path, entry } of walk(folder, cwd, troubles, depth)) {
    if (!matches(slashed(relative(folder, path)))) continue;
    if (!isFolder(path, entry)) files.push(path);
    else for (const pack of findPacks(path, cwd, troubles)) files.push(pack);
  }
  return files;
}

/** The folder before the first wildcard, and what is to be matched below it. */
function split(pattern: string): { readonly base: string; readonly rest: string } {
  const wild = pattern.search(/[*?[{]/u);
  const slash = pattern.lastIndexOf("/", wild);
  const base = pattern.slice(0, slash + 1);
  const rest = pattern.slice(slash + 1).replace(/\/+$/u, "");
  return { base: base === "" ? "." : base, rest };
}
