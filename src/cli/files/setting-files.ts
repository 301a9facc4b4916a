import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { default as ignore, Ignore } from "ignore";
import { getOrCreate, lazy } from "../../text/collections.js";
import { ignorePatternFault, maxPathLength, type PathTest } from "./glob.js";
import { boundaryOf, isBelow, isLink, isRepository, staysInside, withForwardSlashes } from "./paths.js";
import { readTextOrEmpty } from "./read-file.js";

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

export const ignoreFileNames: ReadonlySet<string> = new Set([".gitignore", ".promptpackignore"]);

/** Files that change how the packs in their folder and below are linted. */
export const settingFileNames: readonly string[] = [...configNames, "package.json", ...ignoreFileNames];

export function isConfigName(name: string): boolean {
  return configNames.some((known) => known === name);
}

export function nearestConfig(
  folder: string,
  known = new Map<string, string | undefined>(),
): string | undefined {
  return getOrCreate(known, folder, () => {
    const isTop = isRepository(folder) || dirname(folder) === folder;
    return findConfigIn(folder) ?? (isTop ? undefined : nearestConfig(dirname(folder), known));
  });
}

function findConfigIn(folder: string): string | undefined {
  const manifest = join(folder, "package.json");
  // A dangling link is reported when it is read.
  const own = configNames.map((name) => join(folder, name)).find((path) => existsSync(path) || isLink(path));
  return own ?? (hasPromptpackKey(manifest) ? manifest : undefined);
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

const maxIgnoreFileBytes = 1024 * 1024;

/** A test for the lines of `ignore` in a config, which have the syntax of a `.gitignore` in its folder. */
export function ignoreTest(lines: readonly string[]): PathTest {
  const matcher = lazy(() => newMatcher().add(lines.map((line) => line.replace(/^(!?)\.\//u, "$1/"))));
  return (path) => lines.length > 0 && path.length <= maxPathLength && matcher().ignores(path);
}

/** All ignore files of one name between a boundary and the paths below it; the nearest that matches decides. */
export class IgnoreFiles {
  private readonly matchers = new Map<string, Ignore | undefined>();
  hasIgnored = false;

  constructor(
    private readonly name: string,
    private readonly boundary: string,
  ) {}

  ignores(path: string, isFolder: boolean): boolean {
    return this.ignoredBy(path, isFolder) !== undefined;
  }

  /** The ignore file that matches the path or a folder above it, unless a later line takes it back. */
  ignoredBy(path: string, isFolder: boolean): string | undefined {
    if (!isBelow(this.boundary, path)) return undefined;
    const own = withForwardSlashes(relative(this.boundary, path));
    if (own.length > maxPathLength) return undefined;
    const by = this.matcherIn(dirname(path))?.test(isFolder ? `${own}/` : own).rule?.mark;
    this.hasIgnored ||= by !== undefined;
    return by;
  }

  /** The lines of the ignore files in a folder and above it, outermost first: the last match wins. */
  private matcherIn(folder: string): Ignore | undefined {
    return getOrCreate(this.matchers, folder, () => {
      const above = isBelow(this.boundary, folder) ? this.matcherIn(dirname(folder)) : undefined;
      const mark = join(folder, this.name);
      const lines = isLink(mark) && !staysInside(folder, mark) ? [] : readLines(mark);
      if (lines.length === 0) return above;
      const base = withForwardSlashes(relative(this.boundary, folder));
      const matcher = newMatcher().add(above ?? []);
      for (const line of lines) matcher.add({ pattern: base === "" ? line : rebase(line, base), mark });
      return matcher;
    });
  }
}

function newMatcher(): Ignore {
  // Loaded with the first ignore file. The bundler includes it like an import; `import()` would need a promise.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const create = require("ignore") as typeof ignore;
  return create({ ignorecase: false, allowRelativePaths: true });
}

/** A file that cannot be read counts as empty, as in git; so does a line that would take too long. */
function readLines(path: string): readonly string[] {
  const text = existsSync(path) ? readTextOrEmpty(path, maxIgnoreFileBytes) : "";
  return text.split(/\r?\n/u).filter((line) => /^(?!#|!? *$)/u.test(line) && !ignorePatternFault(line));
}

/** A line of an ignore file as it would be written in a folder above: `base` leads from there to its folder. */
function rebase(line: string, base: string): string {
  const [, negation = "", slash = "", rest = ""] = /^(!?)(\/?)(.*)$/su.exec(line) ?? [];
  const isAnchored = slash !== "" || /\/(?! *$)/u.test(rest);
  const folder = base.replace(/[\\*?[\]]/gu, "\\$&");
  return `${negation}/${folder}/${isAnchored ? "" : "**/"}${rest}`;
}

/** If the folder itself is ignored, only the ignore files in it count. */
export function gitIgnoredIn(folder: string, cwd: string): IgnoreFiles {
  const ignored = new IgnoreFiles(".gitignore", boundaryOf(folder, cwd));
  return ignored.ignores(folder, true) ? new IgnoreFiles(".gitignore", folder) : ignored;
}
