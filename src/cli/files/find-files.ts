import { type FileKind, looksLikePack, packNamePattern } from "../../document/file-format.js";
import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { compareText } from "../../diagnostic.js";
import { requestPrefix } from "../../routes/routes.js";
import { isConfigName } from "./find-config.js";
import { compileGlob, type PathTest } from "./glob.js";
import { boundaryOf, gitIgnoredIn, IgnoreFiles, isBelow, staysInside } from "./ignore-files.js";
import { displayPath, withForwardSlashes } from "./paths.js";
import { describeIoError, readRegularFile, readTextOrEmpty } from "./read-file.js";

export const documentNamePattern = /\.(?:json|ya?ml)$/su;

export function isNamedAsPack(path: string): boolean {
  return packNamePattern.test(basename(path));
}

type ReadBytes = (limit: number) => Uint8Array;

/** Whether to lint a file that was found: packs are recognized by their names, routes by their content. */
export function shouldLint(path: string, kind: FileKind | undefined, read?: ReadBytes): boolean {
  if (isNamedAsPack(path)) return kind !== "routes";
  if (kind === "pack" || !documentNamePattern.test(path)) return false;
  return kind === "routes" || looksLikeRoutes(read ?? ((limit) => readRegularFile(path, limit)));
}

/** Whether a file is not named like a pack and mentions the loop of RFC-103. */
export function mayBeRoutes(path: string, read?: ReadBytes): boolean {
  return !isNamedAsPack(path) && shouldLint(path, undefined, read);
}

export function routesIn(folder: string, cwd: string, maxDepth: number): readonly string[] {
  const visits = [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth)];
  return visits.flatMap(({ path, entry }) => (!isFolder(path, entry) && mayBeRoutes(path) ? path : []));
}

/** The files of a kind in a folder and below it that are not ignored. Links to folders are not followed. */
export function findFiles(
  folder: string,
  cwd: string,
  problems: string[],
  ignored: IgnoreFiles,
  kind: FileKind | undefined,
  strays?: Strays,
): readonly string[] {
  const files: string[] = [];
  for (const { path, entry } of walkFolder(folder, cwd, problems, ignored)) {
    if (!documentNamePattern.test(entry.name) || isFolder(path, entry)) continue;
    const read = readOnce(path);
    if (shouldLint(path, kind, read)) files.push(path);
    else if (kind !== "routes") strays?.examine(path, read);
  }
  return files;
}

/** A folder may hold a great many files that have to be parsed to know that they are packs. */
const maxStrayPacks = 20;

/** Files that a search leaves out, though a user may expect them to be linted: it goes by their names. */
export class Strays {
  readonly packs: string[] = [];
  /** The first file from which PromptKit compiles a pack. */
  source: string | undefined;
  private parsed = 0;

  constructor(private readonly skipped: IgnoreFiles) {}

  examine(path: string, read: ReadBytes): void {
    if (this.skipped.ignores(path, false)) return;
    const bytes = readProbe(read);
    if (bytes.includes(packMarker) && this.parsed < maxStrayPacks) {
      this.parsed++;
      if (looksLikePack(new TextDecoder().decode(bytes))) this.packs.push(path);
    } else if (this.source === undefined && bytes.includes(sourceMarker)) {
      const text = bytes.toString("utf8");
      if (sourcePatterns.every((pattern) => pattern.test(text))) this.source = path;
    }
  }
}

function isFolder(path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

interface WalkEntry {
  readonly path: string;
  readonly entry: Dirent;
}

const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Whether a search of the working folder would skip a file. */
export function isSkippedBySearch(path: string, cwd: string): boolean {
  const folders = relative(cwd, path).split(sep).slice(0, -1);
  if (folders.some((name) => skippedFolders.has(name))) return true;
  // The ignore files of a repository do not apply to a repository inside it.
  const own = boundaryOf(dirname(path), cwd);
  const ignored = isBelow(cwd, own) ? new IgnoreFiles(".gitignore", own) : gitIgnoredIn(cwd, cwd);
  return ignored.ignores(path, false);
}

/** Emacs marks a file that is being edited with a dangling link of this name. */
const emacsLockPrefix = ".#";

export function* walkFolder(
  folder: string,
  cwd: string,
  problems: string[],
  ignored: Pick<IgnoreFiles, "ignores">,
  maxDepth = Infinity,
): Generator<WalkEntry> {
  const pending = [{ folder, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of readFolder(next.folder, cwd, problems)) {
      if (entry.name.startsWith(emacsLockPrefix) && entry.isSymbolicLink()) continue;
      const path = join(next.folder, entry.name);
      if (entry.isSymbolicLink() && !staysInside(folder, path)) continue;
      const isDirectory = entry.isDirectory();
      if (isDirectory && skippedFolders.has(entry.name)) continue;
      if (ignored.ignores(path, isDirectory)) continue;
      yield { path, entry };
      if (isDirectory && next.depth < maxDepth) pending.push({ folder: path, depth: next.depth + 1 });
    }
  }
}

function readFolder(folder: string, cwd: string, problems: string[]): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  } catch (error) {
    problems.push(`"${displayPath(folder, cwd)}" ${describeIoError(error)}.`);
    return [];
  }
}

export class PathGlob {
  readonly folder: string;
  readonly depth: number;
  private readonly test: PathTest;

  constructor(pattern: string, cwd: string) {
    const glob = withForwardSlashes(pattern);
    const start = glob.lastIndexOf("/", glob.search(/[*?[{]/u)) + 1;
    const rest = glob.slice(start).replace(/\/+$/u, "");
    this.folder = resolve(cwd, glob.slice(0, start));
    this.depth = rest.includes("**") ? Infinity : rest.split("/").length;
    this.test = compileGlob(rest, false);
  }

  /** Config files lie among the packs and are linted only by name. */
  matches(path: string): boolean {
    return !isConfigName(basename(path)) && this.test(withForwardSlashes(relative(this.folder, path)));
  }

  matchesAbove(path: string): boolean {
    for (let folder = dirname(path); isBelow(this.folder, folder); folder = dirname(folder)) {
      if (this.matches(folder)) return true;
    }
    return false;
  }
}

/** The files that a glob matches, and the packs in the folders that it matches. */
export function expandGlob(pattern: string, cwd: string, problems: string[]): readonly string[] {
  const glob = new PathGlob(pattern, cwd);
  if (!existsSync(glob.folder)) return [];
  const ignored = gitIgnoredIn(glob.folder, cwd);
  const files: string[] = [];
  for (const { path, entry } of walkFolder(glob.folder, cwd, problems, ignored, glob.depth)) {
    if (!glob.matches(path)) continue;
    if (!isFolder(path, entry)) files.push(path);
    else for (const pack of findFiles(path, cwd, problems, ignored, "pack")) files.push(pack);
  }
  return files;
}

/** A folder may hold many other large files. */
const maxProbeBytes = 1024 * 1024;

function readOnce(path: string): ReadBytes {
  let bytes: Uint8Array | undefined;
  return (limit) => (bytes ??= readRegularFile(path, limit));
}

function readProbe(read: ReadBytes): Buffer {
  try {
    const { buffer, byteOffset, length } = read(maxProbeBytes);
    return Buffer.from(buffer, byteOffset, length > maxProbeBytes ? 0 : length);
  } catch {
    return Buffer.alloc(0);
  }
}

const packMarker = Buffer.from("template_engine");
const sourceMarker = Buffer.from("PromptConfig");
const sourcePatterns = [
  /^[\t ]*["']?apiVersion["']?[\t ]*:/mu,
  /^[\t ]*["']?kind["']?[\t ]*:[\t ]*["']?PromptConfig\b/mu,
];

/** A quick test, as every such file contains it. */
const agenticMarker = Buffer.from("agentic");
/** A request or the plugin, with some misspellings. */
const loopPattern = /agentic(?:\.tool_request\.|[-_]?lo{0,2}p)/u;
/** `pipelines` or `plugins`, with some misspellings. */
const pipelinesPattern = /(?:^|[{,])[\t ]*["']?p[il]\w*["']?[\t ]*:/mu;
/** A common name for `pipelines`; a cluster's gateways have it too, but further inside. */
const routesKeyPattern = /(?:^|\{\s*)["']?routes["']?[\t ]*:/mu;

/** Whether a file mentions the loop of RFC-103, so that it is worth reading as routes. */
function looksLikeRoutes(read: ReadBytes): boolean {
  const bytes = readProbe(read);
  if (!bytes.includes(agenticMarker)) return false;
  const text = bytes.toString("utf8");
  return (
    loopPattern.test(text) &&
    (pipelinesPattern.test(text) || (text.includes(requestPrefix) && routesKeyPattern.test(text)))
  );
}

/** Whether the repository is a sparse checkout, in which a missing file need not be deleted. Reads git's settings. */
export function isSparseCheckout(folder: string): boolean {
  const top = boundaryOf(folder, folder);
  // In a linked working tree, `.git` is a file that names the git folder.
  const place = resolve(top, /^gitdir: (.*)$/mu.exec(readTextOrEmpty(join(top, ".git")))?.[1] ?? ".git");
  const settings = ["config", "config.worktree"].map((name) => readTextOrEmpty(join(place, name))).join("\n");
  const [, value] = [...settings.matchAll(/^\s*sparseCheckout\s*=\s*(\w+)/gimu)].at(-1) ?? [];
  return value === "true";
}
