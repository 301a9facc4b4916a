import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Document } from "../../document/document.js";

/** A path as reports show it: relative to the working folder, with `/`. */
export function displayPath(path: string, cwd: string): string {
  return withForwardSlashes(relative(cwd, path)) || ".";
}

/** `file:line:column`. */
export function displayLocation(file: string, { lines }: Document, offset: number): string {
  const { line, column } = lines.position(offset);
  return `${file}:${line}:${column}`;
}

export function withForwardSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** The path with its links resolved, or as it is if nothing exists there. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

export function rulePagePath(rule: string): string {
  return join(packageRoot(), "docs", "rules", `${rule}.md`);
}

/** The file URL of the page, if the package has it. */
export function localRulePage(rule: string): string | undefined {
  const path = rulePagePath(rule);
  return existsSync(path) ? pathToFileURL(path).href : undefined;
}

/** The folder of this package, wherever the running file was bundled to. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("The package.json of promptpack is missing.");
    folder = parent;
  }
  return folder;
}
