import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { compareText } from "../../diagnostic.js";
import { type FileKind, looksLikePack, packNamePattern } from "../../document/file-format.js";
import { requestPrefix } from "../../routes/routes.js";
import { looksLikeSource } from "../../sources/source-file.js";
import { appendTo, firstByKey, tryTo } from "../../text/collections.js";
import { didYouMean } from "../../text/names.js";
import { compileGlob, globFault, isGlob, type PathTest } from "./glob.js";
import {
  boundaryOf,
  displayPath,
  fromHereUp,
  isBelow,
  isLink,
  realPathOf,
  staysInside,
  withForwardSlashes,
} from "./paths.js";
import { danglingLink, describeIoError, errorCode, readRegularFile, readTextOrEmpty } from "./read-file.js";
import { gitIgnoredIn, IgnoreFiles, isConfigName } from "./setting-files.js";

export interface Target {
  /** As reports show it: relative to the working folder, with `/`. */
  readonly file: string;
  readonly path: string;
  /** Whether the command line names it, rather than a folder or a glob. */
  readonly named: boolean;
  /** The named folder in which it was found, if any. */
  readonly folder?: string | undefined;
  /** Whether a search found it as the head of a project. */
  readonly isHead?: boolean;
  /** Reads its bytes if they are not on the disk. */
  readonly read?: ReadBytes;
  /** Links to it that were found, too. */
  readonly aliases?: readonly Target[];
}

type ReadBytes = (limit: number) => Uint8Array;

export function readTargetBytes({ path, read }: Pick<Target, "path" | "read">, limit: number): Uint8Array {
  return read === undefined ? readRegularFile(path, limit) : read(limit);
}

/** Whether a file may be routes. Files that were found, and are not named like packs, have been probed already. */
export function mayHoldRoutes({ path, named, read, isHead }: Target): boolean {
  return named ? mayBeRoutes(path, read) : !isNamedAsPack(path) && isHead !== true;
}

export interface Discovery {
  readonly targets: readonly Target[];
  readonly problems: readonly string[];
  /** The first files in the searched folders that are packs by their content, but not by their names. */
  readonly strayPacks: readonly string[];
  /** Files in the searched folders that are parts of projects by their content, which the search has read. */
  readonly sources: ReadonlyMap<string, Uint8Array>;
  /** The real paths of the files that changed, if only those matter. */
  readonly changed?: ReadonlySet<string>;
  /** The bytes of files where the disk does not count; null if there is none. */
  readonly overlay?: ((path: string, limit: number) => Uint8Array | null | undefined) | undefined;
  /** Finds files in some folders, down to a depth, that may be routes, though they are not linted. */
  readonly beside: (folders: readonly string[], maxDepth: number) => readonly Target[];
}

/** The files that the paths of a command line stand for, each once, sorted by path. */
export function discover(paths: readonly string[], cwd: string, kind?: FileKind): Discovery {
  const found = new Map<string, Omit<FoundPath, "path">>();
  const search = new FileSearch(cwd, kind);
  for (const path of paths.length === 0 ? ["."] : paths) {
    for (const { path: file, named, folder } of search.expand(path)) {
      const earlier = found.get(file);
      const isHead = search.heads.has(file);
      found.set(file, {
        named: named || earlier?.named === true,
        folder: earlier?.folder ?? folder,
        ...(isHead && { isHead }),
      });
    }
  }
  const targets = [...found].map(([path, how]) => ({ file: displayPath(path, cwd), path, ...how }));
  targets.sort((a, b) => compareText(a.file, b.file));
  const { problems, strayPacks, sources } = search;
  return { targets: mergeAliases(targets), problems, strayPacks, sources, beside: routesBeside(cwd) };
}

export function routesBeside(cwd: string): Discovery["beside"] {
  return (folders, maxDepth) =>
    folders
      .flatMap((folder) => routesIn(folder, cwd, maxDepth))
      .map((path) => ({ file: displayPath(path, cwd), path, named: false }));
}

type FoundPath = Pick<Target, "path" | "named" | "folder" | "isHead">;

class FileSearch {
  readonly problems: string[] = [];
  readonly strayPacks: string[] = [];
  readonly sources = new Map<string, Uint8Array>();
  readonly heads = new Set<string>();

  constructor(
    private readonly cwd: string,
    private readonly kind: FileKind | undefined,
  ) {}

  expand(path: string): readonly FoundPath[] {
    const { cwd, kind, problems } = this;
    if (path === "-") return [];
    if (path === "") return this.fail('A path is empty: name a file or a folder, such as ".".');
    const absolute = resolve(cwd, path);
    try {
      if (!statSync(absolute).isDirectory()) return [{ path: absolute, named: true }];
    } catch (error) {
      if (isGlob(path) && !isLink(absolute)) return this.expandGlob(path);
      return this.fail(describeMissing(path, absolute, error));
    }
    const before = problems.length;
    const ignored = gitIgnoredIn(absolute, cwd);
    const skipped = new IgnoreFiles(".promptpackignore", boundaryOf(absolute, cwd));
    const strays = new Strays(skipped, this.sources);
    const files = this.findFiles(absolute, ignored, kind, strays);
    if (files.length > 0) this.strayPacks.push(...strays.packs);
    else if (problems.length === before) {
      const except = ignored.hasIgnored ? " (files that git ignores are skipped)" : "";
      const hint = kind === "routes" ? "" : strays.hint(cwd);
      problems.push(nothingFoundMessage(path, kind, except) + hint);
    }
    return files.map((file) => ({ path: file, named: false, folder: absolute }));
  }

  /** The files that a glob matches, and the packs in the folders that it matches. */
  private expandGlob(pattern: string): readonly FoundPath[] {
    const { cwd, problems } = this;
    const fault = globFault(pattern);
    if (fault !== undefined) return this.fail(`"${pattern}" ${fault}.`);
    const glob = new PathGlob(pattern, cwd);
    const ignored = gitIgnoredIn(glob.folder, cwd);
    const walk = existsSync(glob.folder) ? walkFolder(glob.folder, cwd, problems, ignored, glob.depth) : [];
    const files = [...walk].flatMap(({ path, entry }) => {
      if (!glob.matches(path)) return [];
      return isFolder(path, entry) ? this.findFiles(path, ignored, "pack") : path;
    });
    if (files.length === 0) return this.fail(`No file matches "${pattern}".`);
    return files.map((path) => ({ path, named: false }));
  }

  /** Links to folders are not followed. */
  private findFiles(
    folder: string,
    ignored: IgnoreFiles,
    kind: FileKind | undefined,
    strays?: Strays,
  ): readonly string[] {
    const walk = walkFolder(folder, this.cwd, this.problems, ignored);
    return [...walk].flatMap(({ path, entry }) => {
      if (!documentNamePattern.test(entry.name) || isFolder(path, entry)) return [];
      const read = readOnce(path);
      if (kind !== "routes" && isFoundHead(path, read)) {
        this.heads.add(path);
        this.sources.set(path, read(maxProbeBytes));
        return path;
      }
      if (shouldLint(path, kind, read)) return path;
      if (kind !== "routes") strays?.examine(path, read);
      return [];
    });
  }

  private fail(problem: string): readonly FoundPath[] {
    this.problems.push(problem);
    return [];
  }
}

export function nothingFoundMessage(path: string, kind: FileKind | undefined, except = ""): string {
  const what = kind === "routes" ? "No routes (RFC-103) were" : "No pack was";
  return `${what} found ${path === "." ? "below the working folder" : `in "${path}"`}${except}.`;
}

function describeMissing(path: string, absolute: string, error: unknown): string {
  if (errorCode(error) !== "ENOENT") return `"${path}" ${describeIoError(error)}.`;
  if (isLink(absolute)) return `"${path}" ${danglingLink}.`;
  const folder = dirname(absolute);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return `"${path}" does not exist.${didYouMean(basename(absolute), names)}`;
}

/** A file that was found under several names is reported under its own, or else under the first. */
function mergeAliases(targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets;
  const names = new Map<string, Target[]>();
  for (const target of targets) appendTo(names, realPathOf(target.path), target);
  if (names.size === targets.length) return targets;
  const files = [...names].map(([real, all]) => {
    const own = all.find(({ path }) => path === real) ?? all[0];
    const named = all.some((each) => each.named);
    return own && { ...own, named, aliases: all.filter((each) => each !== own) };
  });
  return files.filter((file) => file !== undefined).sort((a, b) => compareText(a.file, b.file));
}

export function withoutAliases(targets: readonly Target[]): readonly Target[] {
  return [...firstByKey(targets, ({ path }) => realPathOf(path)).values()];
}

export const documentNamePattern = /\.(?:json|ya?ml)$/su;

export function isNamedAsPack(path: string): boolean {
  return packNamePattern.test(basename(path));
}

const headNamePattern = /arena[^/]*\.ya?ml$/su;

/** Whether a search looks into a file to see if it is the head of a project. */
export function isHeadName(path: string): boolean {
  return headNamePattern.test(basename(path)) && !isNamedAsPack(path);
}

export function isFoundHead(
  path: string,
  read: ReadBytes = (limit) => readRegularFile(path, limit),
): boolean {
  return isHeadName(path) && looksLikeSource(readProbe(read).toString("utf8"), "Arena");
}

/** Whether to lint a file that was found: packs are recognized by their names, heads and routes by their content. */
export function shouldLint(
  path: string,
  kind: FileKind | undefined,
  read: ReadBytes = (limit) => readRegularFile(path, limit),
): boolean {
  if (isNamedAsPack(path)) return kind !== "routes";
  if (!documentNamePattern.test(path)) return false;
  if (kind !== "routes" && isFoundHead(path, read)) return true;
  return kind !== "pack" && (kind === "routes" || looksLikeRoutes(read));
}

/** Whether a file is not named like a pack and mentions the loop of RFC-103. */
export function mayBeRoutes(
  path: string,
  read: ReadBytes = (limit) => readRegularFile(path, limit),
): boolean {
  return !isNamedAsPack(path) && documentNamePattern.test(path) && looksLikeRoutes(read);
}

export function routesIn(folder: string, cwd: string, maxDepth: number): readonly string[] {
  const visits = [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth)];
  return visits.flatMap(({ path, entry }) => (!isFolder(path, entry) && mayBeRoutes(path) ? path : []));
}

/** A folder may hold a great many files that have to be parsed to know that they are packs. */
const maxStrayPacks = 20;

/** Files that a search skips because of their names, though a user may expect them to be linted. */
class Strays {
  readonly packs: string[] = [];
  private parsed = 0;

  constructor(
    private readonly skipped: IgnoreFiles,
    private readonly sources: Map<string, Uint8Array>,
  ) {}

  examine(path: string, read: ReadBytes): void {
    if (this.skipped.ignores(path, false)) return;
    const bytes = readProbe(read);
    if (bytes.includes(packMarker) && this.parsed < maxStrayPacks) {
      this.parsed++;
      if (looksLikePack(new TextDecoder().decode(bytes))) this.packs.push(path);
    } else if (bytes.includes(sourceMarker) && looksLikeSource(bytes.toString("utf8"), partKinds))
      this.sources.set(path, bytes);
  }

  hint(cwd: string): string {
    const [pack] = this.packs;
    const [source] = this.sources.keys();
    if (pack !== undefined) {
      const name = basename(pack).replace(/\.\w+$/u, ".pack$&");
      return ` "${displayPath(pack, cwd)}" looks like one: pass it by name, or rename it to "${name}".`;
    }
    return source === undefined
      ? ""
      : ` "${displayPath(source, cwd)}" is a source that no head (kind: Arena) here lists: pass it by name to check it alone.`;
  }
}

function isFolder(path: string, entry: Dirent): boolean {
  return entry.isSymbolicLink() ? (tryTo(() => statSync(path).isDirectory()) ?? false) : entry.isDirectory();
}

const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

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
): Generator<{ readonly path: string; readonly entry: Dirent }> {
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
    return fromHereUp(dirname(path)).some((folder) => isBelow(this.folder, folder) && this.matches(folder));
  }
}

/** A folder may hold many other large files. */
const maxProbeBytes = 1024 * 1024;

function readOnce(path: string): ReadBytes {
  let bytes: Uint8Array | undefined;
  return (limit) => (bytes ??= readRegularFile(path, limit));
}

function readProbe(read: ReadBytes): Buffer {
  const { buffer, byteOffset, length } = tryTo(() => read(maxProbeBytes)) ?? new Uint8Array();
  return Buffer.from(buffer, byteOffset, length > maxProbeBytes ? 0 : length);
}

const packMarker = Buffer.from("template_engine");
const partKinds = "(?:PromptConfig|Tool|Scenario)";
const sourceMarker = Buffer.from("promptkit.altairalabs.ai/");

/** A quick test, as every such file contains it. */
const agenticMarker = Buffer.from("agentic");
/** A request or the plugin, with some misspellings. */
const loopPattern = /agentic(?:\.tool_request\.|[-_]?lo{0,2}p)/u;
/** `pipelines` or `plugins`, with some misspellings. */
const pipelinesPattern = /(?:^|[{,])[\t ]*["']?p[il]\w*["']?[\t ]*:/mu;
/** A common name for `pipelines`; a cluster's gateways have it too, but further inside. */
const routesKeyPattern = /(?:^|\{\s*)["']?routes["']?[\t ]*:/mu;

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
