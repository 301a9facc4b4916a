import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "./package-root.js";

/** The pages lie in the package, and so are those of its version. */
export function rulePagePath(rule: string): string {
  return join(packageRoot(), "docs", "rules", `${rule}.md`);
}

/** The address of the page on this computer, where it is there. */
export function localRulePage(rule: string): string | undefined {
  const path = rulePagePath(rule);
  return existsSync(path) ? pathToFileURL(path).href : undefined;
}
