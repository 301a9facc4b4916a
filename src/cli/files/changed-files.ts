import type { FileKind } from "../../document/file-format.js";
import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { compareText } from "../../diagnostic.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";
import { discover, type Discovery, nothingFoundMessage, type Target } from "./discover.js";
import {
  documentNamePattern,
  isNamedAsPack,
  mayBeRoutes,
  PathGlob,
  shouldLint,
  walkFolder,
} from "./find-files.js";
import { Git, hasBlobId, keyOf, nameOf } from "./git.js";
import { globFault, isGlob } from "./glob.js";
import { IgnoreFiles, isBelow } from "./ignore-files.js";
import { displayPath, realPathOf, withForwardSlashes } from "./paths.js";
import { notUtf8, readRegularFile } from "./read-file.js";

/** Changes staged for the next commit, or made since the branch left `since`. */
export type ChangeSelection = { readonly staged: true } | { readonly since: string };

export function changedFiles(
  io: Io,
  paths: readonly string[],
  changes: ChangeSelection,
  kind: FileKind | undefined,
): Discovery {
  const git = openRepository(io, paths);
  const wanted = paths.length === 0 ? [git.root] : paths;
  const tree = new WorkingTree(git, io.cwd, new PathFilter(wanted, io.cwd, git.root, kind));
  const { filter } = tree;
  const changed = "staged" in changes ? stagedFiles(tree) : filesSince(tree, changes.since);
  const targets = changed.flatMap(({ path, read }): readonly Target[] => {
    const selected = filter.select(path, read);
    return selected === undefined ? [] : [{ ...tree.target(path, read), ...selected }];
  });
  targets.sort((a, b) => compareText(a.file, b.file));
  return {
    targets,
    problems: [...filter.problems(), ...tree.problems],
    strayPacks: [],
    beside(folders, maxDepth) {
      if ("staged" in changes) return stagedBeside(tree, folders, maxDepth);
      const all = discover(wanted, io.cwd, kind);
      return [...all.targets, ...all.beside(folders, maxDepth)].filter(({ path }) => !isNamedAsPack(path));
    },
  };
}

/** A pack in the working tree and in an earlier commit; absent on the side that lacks it. */
export interface PackVersions extends Pick<Target, "file" | "path"> {
  readonly old: { readonly id: string; readonly read: (limit: number) => Uint8Array } | undefined;
  readonly new: Pick<Target, "path" | "read"> | undefined;
}

export function packsAgainst(
  io: Io,
  paths: readonly string[],
  revision: string,
): { readonly packs: readonly PackVersions[]; readonly problems: readonly string[] } {
  const git = openRepository(io, paths);
  const filter = new PathFilter(paths.length === 0 ? ["."] : paths, io.cwd, git.root, "pack");
  const tree = new WorkingTree(git, io.cwd, filter);
  const before = git.files(git.commit(revision));
  const tracked = tree.locate([...before.keys(), ...tree.index.keys()]);
  const onDisk = tree.filesOnDisk(tracked);
  const packs = [...new Set([...tracked, ...onDisk])].flatMap((path): readonly PackVersions[] => {
    if (filter.select(path, undefined) === undefined) return [];
    const key = tree.keyOf(path);
    const oldId = before.get(key);
    const old = oldId === undefined ? undefined : { id: oldId, ...tree.reader(oldId) };
    const { id, isSparse } = tree.index.get(key) ?? {};
    const sparse = isSparse === true && id !== undefined ? { path, ...tree.reader(id) } : undefined;
    const now = onDisk.has(path) ? { path } : sparse;
    return old === undefined && now === undefined
      ? []
      : [{ file: displayPath(path, io.cwd), path, old, new: now }];
  });
  packs.sort((a, b) => compareText(a.file, b.file));
  const problems = filter.problems((path) => nothingFoundMessage(path, "pack"));
  return { packs, problems: [...problems, ...tree.problems] };
}

function openRepository(io: Io, paths: readonly string[]): Git {
  if (paths.includes("-"))
    throw new UsageError("Standard input is not in a repository: name files or folders.");
  return new Git(io.cwd, io.env);
}

/** A file with the content that is compared; `read` where the disk does not have it. */
type Version = Pick<Target, "path" | "read">;

function stagedFiles(tree: WorkingTree): readonly Version[] {
  const { git, index } = tree;
  const before = git.files(git.commit("HEAD"));
  const keys = [...index].flatMap(([key, { id }]) => (id === before.get(key) ? [] : key));
  return tree.locate(keys).flatMap((path) => tree.staged(path) ?? []);
}

/** Files that may be routes, with the content they have in the next commit, including those missing on the disk. */
function stagedBeside(tree: WorkingTree, folders: readonly string[], maxDepth: number): readonly Target[] {
  const isBeside = (path: string) =>
    folders.some((folder) => {
      const depth = relative(folder, path).split(sep).length;
      return isBelow(folder, path) && depth <= maxDepth && !isVendored(path, folder);
    });
  const isWanted = (path: string) => tree.filter.covers(path) || isBeside(path);
  return tree.locate(tree.index.keys(), isWanted).flatMap((path): readonly Target[] => {
    const version = isNamedAsPack(path) ? undefined : tree.staged(path);
    if (version === undefined) return [];
    const { read } = version;
    const found = isBeside(path) && mayBeRoutes(path, read) ? { named: false } : undefined;
    const selected = tree.filter.select(path, read) ?? found;
    return selected === undefined ? [] : [{ ...tree.target(path, read), ...selected }];
  });
}

/**
 * Files that differ from the merge base, committed or not. Read from the disk, or from git where a sparse checkout leaves
 * them out.
 */
function filesSince(tree: WorkingTree, ref: string): readonly Version[] {
  const { git, index } = tree;
  const before = git.files(git.mergeBase(ref));
  const tracked = tree.locate(index.keys());
  const onDisk = tree.filesOnDisk(tracked);
  const changed = [...onDisk].filter((path) => !tree.hasContent(path, before.get(tree.keyOf(path))));
  const sparse = tracked.filter((path) => {
    const { id, isSparse } = index.get(tree.keyOf(path)) ?? {};
    return isSparse === true && id !== before.get(tree.keyOf(path)) && !onDisk.has(path);
  });
  return [...changed.map((path) => ({ path })), ...sparse.flatMap((path) => tree.staged(path) ?? [])];
}

const maxComparedBytes = 256 * 1024 * 1024;

/** The files of a repository that a command line asks for, on the disk and in the index. */
class WorkingTree {
  readonly index: ReturnType<Git["index"]>;
  readonly problems = new Set<string>();
  private readonly realRoot: string;

  constructor(
    readonly git: Git,
    private readonly cwd: string,
    readonly filter: PathFilter,
  ) {
    this.index = git.index();
    this.realRoot = realPathOf(git.root);
  }

  keyOf(path: string): string {
    return keyOf(this.nameOf(path));
  }

  target(path: string, read: Target["read"]): Omit<Target, "named"> {
    return { file: displayPath(path, this.cwd), path, ...(read && { read }) };
  }

  reader(id: string) {
    return { read: (limit: number) => this.git.blob(id, limit) };
  }

  /** The paths of those files that may be asked for. */
  locate(keys: Iterable<string>, isWanted = (path: string) => this.filter.covers(path)): readonly string[] {
    const paths = new Set<string>();
    for (const key of keys) {
      const path = resolve(this.git.root, nameOf(key));
      if (!isWanted(path)) continue;
      if (this.keyOf(path) === key) paths.add(path);
      else this.problems.add(`"${displayPath(path, this.cwd)}" ${notUtf8}.`);
    }
    return [...paths];
  }

  /** The regular files of the working tree: those of `tracked`, those that a search finds, and those that are named. */
  filesOnDisk(tracked: readonly string[]): ReadonlySet<string> {
    const files = new Set(tracked.filter((path) => this.isOnDisk(path)));
    const ignored = new IgnoreFiles(".gitignore", this.git.root);
    const skipped = {
      ignores: (path: string, isFolder: boolean) =>
        ignored.ignores(path, isFolder) || (isFolder && existsSync(join(path, ".git"))),
    };
    for (const start of this.filter.starts()) {
      if (this.isOnDisk(start)) files.add(start);
      if (lstatSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      const problems: string[] = [];
      for (const { path, entry } of walkFolder(start, this.cwd, problems, skipped))
        if (entry.isFile() && this.filter.covers(path)) files.add(path);
      for (const problem of problems) this.problems.add(problem);
    }
    return files;
  }

  /** The content that the next commit gives to a file; undefined where it has none. */
  staged(path: string): Version | undefined {
    const id = this.index.get(this.keyOf(path))?.id;
    if (id === undefined) return undefined;
    if (this.hasContent(path, id)) return { path };
    // Empty in the index, but not on the disk: only announced, by "git add --intent-to-add".
    return hasBlobId(new Uint8Array(), id) && this.isOnDisk(path) ? undefined : { path, ...this.reader(id) };
  }

  hasContent(path: string, id: string | undefined): boolean {
    if (id === undefined || !this.isOnDisk(path)) return false;
    try {
      const bytes = readRegularFile(path, maxComparedBytes);
      return bytes.length <= maxComparedBytes && hasBlobId(bytes, id);
    } catch {
      return false;
    }
  }

  /** Whether it is a regular file, and no folder above it is a link, which may lead anywhere. */
  private isOnDisk(path: string): boolean {
    return (
      lstatSync(path, { throwIfNoEntry: false })?.isFile() === true &&
      realPathOf(path) === resolve(this.realRoot, this.nameOf(path))
    );
  }

  private nameOf(path: string): string {
    return withForwardSlashes(relative(this.git.root, path));
  }
}

class PathFilter {
  private readonly pathArguments: readonly PathArgument[];

  constructor(
    paths: readonly string[],
    cwd: string,
    root: string,
    private readonly kind: FileKind | undefined,
  ) {
    this.pathArguments = paths.map((path) => parsePathArgument(path, cwd, root));
  }

  /** Where to search: folders, and named files. */
  starts(): readonly string[] {
    return this.pathArguments.flatMap(({ start }) => start ?? []);
  }

  /** Whether the file may be asked for, by its name. */
  covers(path: string): boolean {
    return this.pathArguments.some(
      (each) => each.matches(path) || (each.contains(path) && documentNamePattern.test(path)),
    );
  }

  /** How the file was asked for; undefined if it was not. */
  select(path: string, read: Target["read"]): Pick<Target, "named" | "folder"> | undefined {
    const isFound =
      this.pathArguments.some((each) => each.contains(path)) && shouldLint(path, this.kind, read);
    const matched = this.pathArguments.filter(
      (each) => each.matches(path) || (isFound && each.contains(path)),
    );
    for (const each of matched) each.isMatched = true;
    if (matched.length === 0) return undefined;
    const targets = matched.flatMap(({ target }) => target ?? []);
    return { named: targets.includes(path), folder: targets.find((target) => target !== path) };
  }

  /** Paths that match no file and do not exist, or are outside the repository; `otherwise` is about the rest. */
  problems(otherwise?: (path: string) => string): readonly string[] {
    return this.pathArguments.flatMap(({ path, isMatched, fault }) => {
      if (isMatched) return [];
      return fault === undefined ? (otherwise?.(path) ?? []) : [`"${path}" ${fault}.`];
    });
  }
}

interface PathArgument {
  readonly path: string;
  /** Why it is an error if it matches no changed file. */
  readonly fault: string | undefined;
  /** The file or folder; undefined for a glob. */
  readonly target: string | undefined;
  /** Where to search; undefined if there is nothing. */
  readonly start: string | undefined;
  /** Whether it names the file itself, whatever the file is called. */
  matches(file: string): boolean;
  contains(file: string): boolean;
  isMatched: boolean;
}

function parsePathArgument(path: string, cwd: string, root: string): PathArgument {
  const written = resolve(cwd, path);
  const exists = existsSync(written);
  if (!exists && isGlob(path)) return parseGlobArgument(path, new PathGlob(path, cwd), root);
  const target = exists ? pathInRepository(root, written) : written;
  const fault = exists ? outsideRepositoryFault(target, root) : "does not exist";
  return {
    path,
    fault,
    target,
    start: fault === undefined ? (isBelow(target, root) ? root : target) : undefined,
    matches: (file) => file === target,
    contains: (file) => isBelow(target, file) && !isVendored(file, isBelow(root, target) ? target : root),
    isMatched: false,
  };
}

/** The path under which git knows a file: links to folders are resolved, but a link to a file is a file of its own. */
function pathInRepository(root: string, path: string): string {
  const target = resolveWithinRoot(path, root);
  const own = join(resolveWithinRoot(dirname(path), root), basename(path));
  const isNear = target === root || isBelow(root, target) || isBelow(target, root);
  if (isNear && statSync(target).isDirectory()) return target;
  return isBelow(root, own) ? own : target;
}

/** The real path, spelled relative to the top of the working tree as the user sees it. */
function resolveWithinRoot(path: string, root: string): string {
  return resolve(root, relative(realPathOf(root), realPathOf(path)));
}

function outsideRepositoryFault(path: string, root: string): string | undefined {
  if (path === root || isBelow(path, root)) return undefined;
  if (!isBelow(root, path)) return "is not in the repository of the working folder";
  for (let folder = path; folder !== root; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return "is in a repository of its own: run the command there";
  }
  return undefined;
}

function parseGlobArgument(path: string, glob: PathGlob, root: string): PathArgument {
  const folder = isBelow(root, glob.folder) ? glob.folder : root;
  const exists = existsSync(glob.folder);
  const fault =
    globFault(path) ??
    (exists ? outsideRepositoryFault(pathInRepository(root, glob.folder), root) : undefined);
  return {
    path,
    fault,
    target: undefined,
    start: exists && fault === undefined ? folder : undefined,
    matches: (file) => !isVendored(file, folder) && glob.matches(file),
    contains: (file) => isNamedAsPack(file) && !isVendored(file, folder) && glob.matchesAbove(file),
    isMatched: false,
  };
}

/** Whether a search of the folder would skip the path. */
function isVendored(path: string, folder: string): boolean {
  return withForwardSlashes(relative(folder, path)).split("/").includes("node_modules");
}
