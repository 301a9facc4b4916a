import { existsSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { isConfigName } from "../config/find-config.js";
import { compileGlob, type PathTest } from "../files/glob.js";
import { gitIgnoredIn, isBelow } from "../files/ignore-files.js";
import { withForwardSlashes } from "../files/shown-path.js";
import { findFiles, isFolder, walkFolder } from "./find-packs.js";

/** A glob of the command line, asked about paths of files and folders. */
export class PathGlob {
  /** What it matches lies below this folder. */
  readonly folder: string;
  readonly depth: number;
  private readonly test: PathTest;

  constructor(pattern: string, cwd: string) {
    const { base, rest } = splitGlob(withForwardSlashes(pattern));
    this.folder = resolve(cwd, base);
    this.depth = rest.includes("**") ? Infinity : rest.split("/").length;
    this.test = compileGlob(rest, { dot: false, braces: true });
  }

  /** Our own configs lie among the packs: who wants one linted names it. */
  matches(path: string): boolean {
    return !isConfigName(basename(path)) && this.test(withForwardSlashes(relative(this.folder, path)));
  }

  /** Whether it matches a folder that the path lies in. */
  matchesAbove(path: string): boolean {
    for (let folder = dirname(path); isBelow(this.folder, folder); folder = dirname(folder)) {
      if (this.matches(folder)) return true;
    }
    return false;
  }
}

/** The files a glob matches, and the packs in the folders it matches, as if a shell had expanded it. */
export function expandGlob(pattern: string, cwd: string, troubles: string[]): readonly string[] {
  const glob = new PathGlob(pattern, cwd);
  if (!existsSync(glob.folder)) return [];
  const ignored = gitIgnoredIn(glob.folder, cwd);
  const files: string[] = [];
  for (const { path, entry } of walkFolder(glob.folder, cwd, troubles, ignored, glob.depth)) {
    if (!glob.matches(path)) continue;
    if (!isFolder(path, entry)) files.push(path);
    else for (const pack of findFiles(path, cwd, troubles, ignored, "pack")) files.push(pack);
  }
  return files;
}

/** The folder before the first wildcard, and what is to be matched below it. */
function splitGlob(pattern: string): { readonly base: string; readonly rest: string } {
  const wild = pattern.search(/[*?[{]/u);
  const slash = pattern.lastIndexOf("/", wild);
  const base = pattern.slice(0, slash + 1);
  const rest = pattern.slice(slash + 1).replace(/\/+$/u, "");
  return { base: base === "" ? "." : base, rest };
}
