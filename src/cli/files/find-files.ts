import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { compareText } from "../../diagnostic.js";
import type { FileKind } from "../../lint/run-rules.js";
import { requestPrefix } from "../../routes/routes.js";
import { isConfigName } from "./find-config.js";
import { compileGlob, type PathTest } from "./glob.js";
import { boundaryOf, gitIgnoredIn, IgnoreFiles, isBelow } from "./ignore-files.js";
import { displayPath, withForwardSlashes } from "./paths.js";
import { describeIoError, readRegularFile, readTextOrEmpty } from "./read-file.js";

export const documentNamePattern = /\.(?:json|ya?ml)$/su;
const packNamePattern = /^(?:.*\.)?(?:pack|promptpack)\.(?:json|ya?ml)$/su;

export function isNamedAsPack(path: string): boolean {
  return packNamePattern.test(basename(path));
}

type ReadBytes = (limit: number) => Uint8Array;

/**
 * Whether a file that was not named itself is to be linted: packs are known by their names, routes by what is in them,
 * as `read` has it, or else the disk.
 */
export function shouldLint(path: string, kind: FileKind | undefined, read?: ReadBytes): boolean {
  if (isNamedAsPack(path)) return kind !== "routes";
  if (kind === "pack" || !documentNamePattern.test(path)) return false;
  return kind === "routes" || looksLikeRoutes(read ?? ((limit) => readRegularFile(path, limit)));
}

/** Whether a file has no name of a pack and speaks of the loop of RFC-103. */
export function mayBeRoutes(path: string, read?: ReadBytes): boolean {
  return !isNamedAsPack(path) && shouldLint(path, undefined, read);
}

/** The files in a folder, and down to a depth below it, that may be routes, except what git ignores. */
export function routesIn(folder: string, cwd: string, maxDepth: number): readonly string[] {
  const visits = [...walkFolder(folder, cwd, [], gitIgnoredIn(folder, cwd), maxDepth)];
  return visits.flatMap(({ path, entry }) => (!isFolder(path, entry) && mayBeRoutes(path) ? path : []));
}

/** The files of a kind in a folder and below it, except what is ignored. Links to folders are not followed. */
export function findFiles(
  folder: string,
  cwd: string,
  troubles: string[],
  ignored: IgnoreFiles,
  kind: FileKind | undefined,
): readonly string[] {
  const files: string[] = [];
  for (const { path, entry } of walkFolder(folder, cwd, troubles, ignored)) {
    if (documentNamePattern.test(entry.name) && !isFolder(path, entry) && shouldLint(path, kind))
      files.push(path);
  }
  return files;
}

/** The first file in a folder, and below it, that is a pack by what is in it, and neither called like one nor skipped. */
export function findStrayPack(folder: string, cwd: string, ignored: IgnoreFiles): string | undefined {
  const skipped = new IgnoreFiles(".promptpackignore", boundaryOf(folder, cwd));
  for (const { path, entry } of walkFolder(folder, cwd, [], ignored)) {
    if (!documentNamePattern.test(entry.name) || isFolder(path, entry) || skipped.ignores(path, false))
      continue;
    if (looksLikePack(path)) return path;
  }
  return undefined;
}

/** A link counts as what it leads to; one that leads nowhere is no folder. */
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

/** Whether a search of the working folder would not come to a file. */
export function isSkippedBySearch(path: string, cwd: string): boolean {
  const folders = relative(cwd, path).split(sep).slice(0, -1);
  if (folders.some((name) => skippedFolders.has(name))) return true;
  // A repository inside of another has nothing to do with what that ignores.
  const own = boundaryOf(dirname(path), cwd);
  const ignored = isBelow(cwd, own) ? new IgnoreFiles(".gitignore", own) : gitIgnoredIn(cwd, cwd);
  return ignored.ignores(path, false);
}

/** Emacs marks a file that is being edited with a link of this name, which leads nowhere. */
const emacsLockPrefix = ".#";

/** Everything below a folder, except what is ignored, down to a depth. */
export function* walkFolder(
  folder: string,
  cwd: string,
  troubles: string[],
  ignored: IgnoreFiles,
  maxDepth = Infinity,
): Generator<WalkEntry> {
  const waiting = [{ folder, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of readFolder(next.folder, cwd, troubles)) {
      if (entry.name.startsWith(emacsLockPrefix) && entry.isSymbolicLink()) continue;
      const path = join(next.folder, entry.name);
      const goesDeeper = entry.isDirectory();
      if (goesDeeper && skippedFolders.has(entry.name)) continue;
      if (ignored.ignores(path, goesDeeper)) continue;
      yield { path, entry };
      if (goesDeeper && next.depth < maxDepth) waiting.push({ folder: path, depth: next.depth + 1 });
    }
  }
}

function readFolder(folder: string, cwd: string, troubles: string[]): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  } catch (error) {
    troubles.push(`"${displayPath(folder, cwd)}" ${describeIoError(error)}.`);
    return [];
  }
}

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
    this.test = compileGlob(rest, false);
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

/** A folder may hold many other files, and large ones. */
const maxProbeBytes = 1024 * 1024;
const packSections = ["prompts", "template_engine"] as const;
const sectionPatterns = packSections.map((name) => new RegExp(`^${name}[\\t ]*:`, "mu"));

/** Whether a file has the sections that every pack has, whatever it is called. */
function looksLikePack(path: string): boolean {
  try {
    const bytes = readRegularFile(path, maxProbeBytes);
    if (bytes.length > maxProbeBytes) return false;
    const text = new TextDecoder().decode(bytes);
    if (!path.endsWith(".json")) return sectionPatterns.every((section) => section.test(text));
    const value: unknown = JSON.parse(text);
    return (
      typeof value === "object" && value !== null && packSections.every((name) => Object.hasOwn(value, name))
    );
  } catch {
    return false;
  }
}

/** No configuration is larger, and a folder may hold many other files. */
/** All that is worth a closer look has it. */
const agenticMarker = Buffer.from("agentic");
/** A request, or the loop, misspelt or not. */
const loopPattern = /agentic(?:\.tool_request\.|[-_]?lo{0,2}p)/u;
/** `pipelines` and `plugins`, misspelt or not. */
const pipelinesPattern = /(?:^|[{,])[\t ]*["']?p[il]\w*["']?[\t ]*:/mu;
/** `pipelines` as others call them: the gateways of a cluster have these too, inside. */
const routesKeyPattern = /(?:^|\{\s*)["']?routes["']?[\t ]*:/mu;

/** Whether a file that was found, not named, is worth reading as routes: it speaks of the loop of RFC-103. */
function looksLikeRoutes(read: (limit: number) => Uint8Array): boolean {
  try {
    const bytes = Buffer.from(read(maxProbeBytes));
    if (bytes.length > maxProbeBytes || !bytes.includes(agenticMarker)) return false;
    const text = bytes.toString("utf8");
    return (
      loopPattern.test(text) &&
      (pipelinesPattern.test(text) || (text.includes(requestPrefix) && routesKeyPattern.test(text)))
    );
  } catch {
    return false;
  }
}

/**
 * Whether git may keep files of the repository around a folder from the disk, so that one that is not there need not be
 * gone. Its settings are read: git itself is started only for those who ask what changed.
 */
export function isSparseCheckout(folder: string): boolean {
  const top = boundaryOf(folder, folder);
  // In a further working tree, a file says where git keeps what it knows of it.
  const place = resolve(top, /^gitdir: (.*)$/mu.exec(readTextOrEmpty(join(top, ".git")))?.[1] ?? ".git");
  const settings = ["config", "config.worktree"].map((name) => readTextOrEmpty(join(place, name))).join("\n");
  const [, value] = [...settings.matchAll(/^\s*sparseCheckout\s*=\s*(\w+)/gimu)].at(-1) ?? [];
  return value === "true";
}
