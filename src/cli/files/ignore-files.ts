import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type ignore from "ignore";
import type { Ignore } from "ignore";
import { getOrCreate } from "../../text/collections.js";
import { ignorePatternFault, maxPathLength } from "./glob.js";
import { isLink, readRegularFile } from "./read-file.js";
import { realPathOf, withForwardSlashes } from "./paths.js";

export const ignoreFileNames: ReadonlySet<string> = new Set([".gitignore", ".promptpackignore"]);

const maxIgnoreFileBytes = 1024 * 1024;

/** The lines of `ignore` in a config, which have the syntax of a `.gitignore` in its folder. */
export class IgnoreList {
  private matcher: Ignore | undefined;

  constructor(private readonly lines: readonly string[]) {}

  ignores(path: string): boolean {
    if (this.lines.length === 0 || path.length > maxPathLength) return false;
    this.matcher ??= newMatcher().add(this.lines.map((line) => line.replace(/^(!?)\.\//u, "$1/")));
    return this.matcher.ignores(path);
  }
}

/** All ignore files of one name between a boundary and the paths below it; the nearest that matches decides. */
export class IgnoreFiles {
  private readonly matchers = new Map<string, Ignore | undefined>();
  private ignoredAny = false;

  constructor(
    private readonly name: string,
    private readonly boundary: string,
  ) {}

  get hasIgnored(): boolean {
    return this.ignoredAny;
  }

  ignores(path: string, isFolder: boolean): boolean {
    return this.ignoredBy(path, isFolder) !== undefined;
  }

  /** The ignore file that matches the path or a folder above it, unless a later line takes it back. */
  ignoredBy(path: string, isFolder: boolean): string | undefined {
    if (!isBelow(this.boundary, path)) return undefined;
    const own = withForwardSlashes(relative(this.boundary, path));
    if (own.length > maxPathLength) return undefined;
    const by = this.matcherIn(dirname(path))?.test(isFolder ? `${own}/` : own).rule?.mark;
    this.ignoredAny ||= by !== undefined;
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
  if (!existsSync(path)) return [];
  try {
    const text = new TextDecoder().decode(readRegularFile(path, maxIgnoreFileBytes));
    return text.split(/\r?\n/u).filter((line) => /^(?!#|!? *$)/u.test(line) && !ignorePatternFault(line));
  } catch {
    return [];
  }
}

/** A line of an ignore file as it would be written in a folder above: `base` leads from there to its folder. */
function rebase(line: string, base: string): string {
  const [, negation = "", slash = "", rest = ""] = /^(!?)(\/?)(.*)$/su.exec(line) ?? [];
  const isAnchored = slash !== "" || /\/(?! *$)/u.test(rest);
  const folder = base.replace(/[\\*?[\]]/gu, "\\$&");
  return `${negation}/${folder}/${isAnchored ? "" : "**/"}${rest}`;
}

/** What git ignores in a folder. If the folder itself is ignored, only the ignore files in it count. */
export function gitIgnoredIn(folder: string, cwd: string): IgnoreFiles {
  const ignored = new IgnoreFiles(".gitignore", boundaryOf(folder, cwd));
  return ignored.ignores(folder, true) ? new IgnoreFiles(".gitignore", folder) : ignored;
}

/** Where ignore files above `folder` stop to count: the repository, or else the working folder. */
export function boundaryOf(folder: string, cwd: string): string {
  return repositoryOf(folder) ?? (folder === cwd || isBelow(cwd, folder) ? cwd : folder);
}

/** The nearest folder with a `.git`, from this one upwards. */
export function repositoryOf(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) return undefined;
  }
}

/**
 * Whether a link that nobody named stays inside a folder or its repository: a repository must not make us read or change
 * other files. A link to nothing is left to whoever reads it.
 */
export function staysInside(folder: string, link: string, target = realPathOf(link)): boolean {
  return [folder, repositoryOf(folder)].some(
    (root) => root !== undefined && (isBelow(realPathOf(root), target) || target === link),
  );
}

export function isBelow(folder: string, path: string): boolean {
  return path.length > folder.length && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
