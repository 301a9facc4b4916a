// The standalone binary has no files beside it: its build replaces this module by one that holds them.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export function readPackageFile(path: string): string {
  return readFileSync(join(packageRoot(), path), "utf8");
}

export function localRulePage(rule: string): string | undefined {
  const path = join(packageRoot(), "docs", "rules", `${rule}.md`);
  return existsSync(path) ? pathToFileURL(path).href : undefined;
}

/** The folder of this package, wherever the running file was bundled to. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("The package.json of promptpack is missing.");
    folder = parent;
  }
  return folder;
}
