import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { getOrCreate } from "../../text/collections.js";
import { compileGlob, type PathTest } from "./glob.js";
import { readRegularFile } from "./read-file.js";
import { withForwardSlashes } from "./paths.js";

interface IgnoreRule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  readonly matches: PathTest;
}

export const ignoreFileNames: ReadonlySet<string> = new Set([".gitignore", ".promptpackignore"]);

const largestIgnoreFile = 1024 * 1024;

/** The lines of a `.gitignore`, asked about paths relative to its folder. */
export class IgnoreList {
  private readonly rules: readonly IgnoreRule[];

  constructor(lines: readonly string[]) {
    this.rules = lines.flatMap((line) => parseLine(line) ?? []);
  }

  /** Nothing where no line speaks of the path itself. */
  verdict(path: string, isFolder: boolean): "ignored" | "kept" | undefined {
    const rule = this.rules.findLast(({ folderOnly, matches }) => (isFolder || !folderOnly) && matches(path));
    return rule === undefined ? undefined : rule.negated ? "kept" : "ignored";
  }

  /** Whether the file or a folder above it is ignored. */
  ignores(path: string): boolean {
    const names = path.split("/");
    return names.some(
      (_, index) => this.verdict(names.slice(0, index + 1).join("/"), index < names.length - 1) === "ignored",
    );
  }
}

/** The rules of gitignore(5): a slash at the start or in the middle ties a pattern to the folder of the list. */
function parseLine(line: string): IgnoreRule | undefined {
  const trimmed = trimmedLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const negated = trimmed.startsWith("!");
  const body = negated ? trimmed.slice(1) : trimmed;
  const folderOnly = body.endsWith("/");
  const pattern = folderOnly ? body.slice(0, -1) : body;
  if (pattern === "") return undefined;
  const tied = pattern.includes("/");
  const glob = tied ? pattern.replace(/^\//u, "") : `**/${pattern}`;
  return { negated, folderOnly, matches: compileGlob(glob, { dot: true, braces: false }) };
}

/** Without the spaces at its end, unless a backslash keeps the first of them. */
function trimmedLine(line: string): string {
  let end = line.length;
  while (line.charAt(end - 1) === " ") end--;
  return line.slice(0, line.charAt(end - 1) === "\\" && end < line.length ? end + 1 : end);
}

/** All ignore files of one name between a boundary and the paths below it; the nearest that speaks decides. */
export class IgnoreFiles {
  private readonly lists = new Map<string, IgnoreList | undefined>();
  private readonly folders = new Map<string, string | undefined>();
  private spoken = false;

  constructor(
    private readonly name: string,
    private readonly boundary: string,
  ) {}

  /** Whether anything that was asked about is ignored. */
  get hasSpoken(): boolean {
    return this.spoken;
  }

  ignores(path: string, isFolder: boolean): boolean {
    return this.ignoredBy(path, isFolder) !== undefined;
  }

  /** The ignore file that says so, where the path is ignored. */
  ignoredBy(path: string, isFolder: boolean): string | undefined {
    if (!isBelow(this.boundary, path)) return undefined;
    const by = this.folderIgnoredBy(dirname(path)) ?? this.itselfIgnoredBy(path, isFolder);
    this.spoken ||= by !== undefined;
    return by;
  }

  /** An ignored folder takes along whatever is in it. */
  private folderIgnoredBy(folder: string): string | undefined {
    if (!isBelow(this.boundary, folder)) return undefined;
    return getOrCreate(
      this.folders,
      folder,
      () => this.folderIgnoredBy(dirname(folder)) ?? this.itselfIgnoredBy(folder, true),
    );
  }

  private itselfIgnoredBy(path: string, isFolder: boolean): string | undefined {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const verdict = this.listIn(folder)?.verdict(withForwardSlashes(relative(folder, path)), isFolder);
      if (verdict !== undefined) return verdict === "ignored" ? join(folder, this.name) : undefined;
      if (!isBelow(this.boundary, folder)) return undefined;
    }
  }

  private listIn(folder: string): IgnoreList | undefined {
    return getOrCreate(this.lists, folder, () => readList(join(folder, this.name)));
  }
}

function readList(path: string): IgnoreList | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const text = new TextDecoder().decode(readRegularFile(path, largestIgnoreFile));
    return new IgnoreList(text.split("\n"));
  } catch {
    // As git does, we go on without a list that cannot be read.
    return undefined;
  }
}

/** What git ignores in a folder. Who names a folder that is ignored itself means it: only the lists in it count then. */
export function gitIgnoredIn(folder: string, cwd: string): IgnoreFiles {
  const ignored = new IgnoreFiles(".gitignore", boundaryOf(folder, cwd));
  return ignored.ignores(folder, true) ? new IgnoreFiles(".gitignore", folder) : ignored;
}

/** Where ignore files above `folder` stop to count: the repository, or else the working folder. */
export function boundaryOf(folder: string, cwd: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) break;
  }
  return folder === cwd || isBelow(cwd, folder) ? cwd : folder;
}

export function isBelow(folder: string, path: string): boolean {
  return path.length > folder.length && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
