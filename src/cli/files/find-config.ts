import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { getOrCreate } from "../../text/collections.js";
import { ignoreFileNames } from "./ignore-files.js";
import { isLink, readTextOrEmpty } from "./read-file.js";

/** If a folder has several, the first wins. */
export const configNames = [
  "promptpack.config.yaml",
  "promptpack.config.yml",
  "promptpack.config.json",
  ".promptpackrc",
  ".promptpackrc.yaml",
  ".promptpackrc.yml",
  ".promptpackrc.json",
] as const;

/** Files that change how the packs in their folder and below are linted. */
export const settingFileNames: readonly string[] = [...configNames, "package.json", ...ignoreFileNames];

export function isConfigName(name: string): boolean {
  return configNames.some((known) => known === name);
}

/** Finds the nearest config file in a folder or above it, up to the top of the repository. */
export class ConfigFinder {
  private readonly cache = new Map<string, string | undefined>();

  nearest(folder: string): string | undefined {
    return getOrCreate(this.cache, folder, () => {
      const isTop = existsSync(join(folder, ".git")) || dirname(folder) === folder;
      return findConfigIn(folder) ?? (isTop ? undefined : this.nearest(dirname(folder)));
    });
  }
}

function findConfigIn(folder: string): string | undefined {
  for (const name of configNames) {
    const path = join(folder, name);
    // A dangling link is reported when it is read.
    if (existsSync(path) || isLink(path)) return path;
  }
  const manifest = join(folder, "package.json");
  return hasPromptpackKey(manifest) ? manifest : undefined;
}

const promptpackKey = '"promptpack"';

/** Whether a package.json configures promptpack; a broken one that does not is none of our business. */
function hasPromptpackKey(manifest: string): boolean {
  const text = existsSync(manifest) ? readTextOrEmpty(manifest) : "";
  if (!text.includes(promptpackKey)) return false;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && Object.hasOwn(parsed, "promptpack");
  } catch {
    return /^\s*\{?\s*"promptpack"\s*:\s*\{/mu.test(text);
  }
}
