import type { FileKind } from "../../document/file-format.js";
import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { compareText } from "../../diagnostic.js";
import { lazy, tryTo } from "../../text/collections.js";
import { type Io, UsageError } from "../terminal/io.js";
import {
  discover,
  type Discovery,
  documentNamePattern,
  isFoundHead,
  isHeadName,
  isNamedAsPack,
  mayBeRoutes,
  nothingFoundMessage,
  PathGlob,
  shouldLint,
  type Target,
  walkFolder,
} from "./discover.js";
import { Git, hasBlobId, keyOf, nameOf } from "./git.js";
import { globFault, isGlob } from "./glob.js";
import { IgnoreFiles } from "./setting-files.js";
import { displayPath, isBelow, isRepository, realPathOf, repositoryOf, withForwardSlashes } from "./paths.js";
import { notUtf8, readRegularFile } from "./read-file.js";

/** Changes staged for the next commit, or made since the branch left `since`. */
export type ChangeSelection = { readonly staged: true } | { readonly since: string };

export function changedFiles(
  io: Io,
  paths: readonly string[],
  changes: ChangeSelection,
  kind: FileKind | undefined,
): Discovery {
  const tree = new WorkingTree(io, paths, kind);
  const isStaged = "staged" in changes;
  const { present, gone } = isStaged ? stagedFiles(tree) : filesSince(tree, changes.since);
  const changed = present.map(({ path }) => path);
  // A project is linted if any of its files changed.
  const known = new Set(changed);
  const heads = kind === "routes" ? [] : tree.heads(isStaged).filter(({ path }) => !known.has(path));
  const targets = [...present, ...heads].flatMap((version) => tree.select(version));
  targets.sort((a, b) => compareText(a.file, b.file));
  return {
    targets,
    changed: new Set([...changed, ...gone].map((path) => join(realPathOf(dirname(path)), basename(path)))),
    ...(isStaged && { overlay: (path, limit) => tree.stagedBytes(path, limit) }),
    problems: tree.problems(),
    strayPacks: [],
    sources: new Map(),
    beside(folders, maxDepth) {
      if ("staged" in changes) return stagedBeside(tree, folders, maxDepth);
      const all = discover(tree.paths, io.cwd, kind);
      return [...all.targets, ...all.beside(folders, maxDepth)].filter(({ path }) => !isNamedAsPack(path));
    },
  };
}

/** A pack in the working tree and in an earlier commit; absent on the side that lacks it. */
export interface PackVersions extends Pick<Target, "file" | "path"> {
  readonly old:
    | {
        readonly id: string;
        readonly read: (limit: number) => Uint8Array;
        /** The files that the commit has beside it. */
        readonly overlay: Discovery["overlay"];
      }
    | undefined;
  readonly new: Version | undefined;
}

export function packsAgainst(
  io: Io,
  paths: readonly string[],
  revision: string,
): { readonly packs: readonly PackVersions[]; readonly problems: readonly string[] } {
  const tree = new WorkingTree(io, paths.length === 0 ? ["."] : paths, "pack");
  const before = tree.git.files(tree.git.commit(revision));
  const versions = tree.versions(before, [...before.keys(), ...tree.index.keys()]);
  const packs = versions.flatMap(({ path, oldId, now }): readonly PackVersions[] =>
    tree.select({ path }).flatMap(({ file }) => {
      const overlay: Discovery["overlay"] = (other, limit) => tree.bytesIn(before, other, limit);
      const old = oldId === undefined ? undefined : { id: oldId, ...tree.reader(oldId), overlay };
      return old === undefined && now === undefined ? [] : { file, path, old, new: now };
    }),
  );
  packs.sort((a, b) => compareText(a.file, b.file));
  return { packs, problems: tree.problems((path) => nothingFoundMessage(path, "pack")) };
}

/** A file with the content that is compared; `read` where the disk does not have it. */
type Version = Pick<Target, "path" | "read">;

/** The changed files that still exist, and the paths of those that do not. */
interface Changes {
  readonly present: readonly Version[];
  readonly gone: readonly string[];
}

function stagedFiles(tree: WorkingTree): Changes {
  const { git, index } = tree;
  const before = git.files(git.commit("HEAD"));
  const keys = [...index].flatMap(([key, { id }]) => (id === before.get(key) ? [] : key));
  const gone = [...before.keys()].filter((key) => !index.has(key));
  return { present: tree.locate(keys).flatMap((path) => tree.staged(path) ?? []), gone: tree.locate(gone) };
}

/** Files that may be routes, with the content they have in the next commit, including those missing on the disk. */
function stagedBeside(tree: WorkingTree, folders: readonly string[], maxDepth: number): readonly Target[] {
  const isBeside = (path: string) =>
    folders.some((folder) => {
      const depth = relative(folder, path).split(sep).length;
      return isBelow(folder, path) && depth <= maxDepth && !isVendored(path, folder);
    });
  const isWanted = (path: string) => !isNamedAsPack(path) && (tree.covers(path) || isBeside(path));
  return tree.locate(tree.index.keys(), isWanted).flatMap((path): readonly Target[] => {
    const version = tree.staged(path);
    return version === undefined
      ? []
      : tree.select(version, () => isBeside(path) && mayBeRoutes(path, version.read));
  });
}

/** Changes since the merge base, committed or not. Files left out of a sparse checkout are read from git. */
function filesSince(tree: WorkingTree, ref: string): Changes {
  const { git, index } = tree;
  const before = git.files(git.mergeBase(ref));
  const versions = tree.versions(before, new Set([...index.keys(), ...before.keys()]));
  const present = versions.flatMap(({ path, oldId, now, id }) => {
    const isSame = now?.read === undefined ? tree.hasContent(path, oldId) : id === oldId;
    return now === undefined || isSame ? [] : now;
  });
  return { present, gone: versions.flatMap(({ path, now }) => (now === undefined ? path : [])) };
}

const maxComparedBytes = 256 * 1024 * 1024;

/** The files of a repository that a command line asks for, on the disk and in the index. */
class WorkingTree {
  readonly git: Git;
  readonly paths: readonly string[];
  readonly index: ReturnType<Git["index"]>;
  private readonly realRoot: string;
  private readonly cwd: string;
  private readonly pathArguments: readonly PathArgument[];
  private readonly faults = new Set<string>();

  constructor(
    io: Io,
    paths: readonly string[],
    private readonly kind: FileKind | undefined,
  ) {
    if (paths.includes("-"))
      throw new UsageError("Standard input is not in a repository: name files or folders.");
    this.cwd = io.cwd;
    this.git = new Git(io.cwd, io.env);
    const { root } = this.git;
    this.paths = paths.length === 0 ? [root] : paths;
    this.pathArguments = this.paths.map((path) => parsePathArgument(path, io.cwd, root));
    this.index = this.git.index();
    this.realRoot = realPathOf(root);
  }

  reader(id: string) {
    return { read: (limit: number) => this.git.blob(id, limit) };
  }

  locate(keys: Iterable<string>, isWanted = (path: string) => this.covers(path)): readonly string[] {
    const paths = new Set<string>();
    for (const key of keys) {
      const path = resolve(this.git.root, nameOf(key));
      if (!isWanted(path)) continue;
      if (this.keyOf(path) === key) paths.add(path);
      else this.faults.add(`"${displayPath(path, this.cwd)}" ${notUtf8}.`);
    }
    return [...paths];
  }

  /** The wanted files, tracked or only on the disk, each with its content in a commit and now. */
  versions(before: ReadonlyMap<string, string>, keys: Iterable<string>) {
    const tracked = this.locate(keys);
    const onDisk = this.filesOnDisk(tracked);
    return [...new Set([...tracked, ...onDisk])].map((path) => {
      const key = this.keyOf(path);
      const { id, isSparse } = this.index.get(key) ?? {};
      const sparse: Version | undefined =
        isSparse && id !== undefined ? { path, ...this.reader(id) } : undefined;
      return { path, oldId: before.get(key), now: onDisk.has(path) ? { path } : sparse, id };
    });
  }

  /** The regular files of the working tree: those of `tracked`, those that a search finds, and those that are named. */
  private filesOnDisk(tracked: readonly string[]): ReadonlySet<string> {
    const files = new Set(tracked.filter((path) => this.isOnDisk(path)));
    const problems: string[] = [];
    const ignored = new IgnoreFiles(".gitignore", this.git.root);
    const skipped = {
      ignores: (path: string, isFolder: boolean) =>
        ignored.ignores(path, isFolder) || (isFolder && isRepository(path)),
    };
    for (const { start } of this.pathArguments) {
      if (start === undefined) continue;
      if (this.isOnDisk(start)) files.add(start);
      if (lstatSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      for (const { path, entry } of walkFolder(start, this.cwd, problems, skipped))
        if (entry.isFile() && this.covers(path)) files.add(path);
    }
    for (const problem of problems) this.faults.add(problem);
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

  /** The heads of projects, as the next commit or the working tree has them. */
  heads(isStaged: boolean): readonly Version[] {
    return this.locate(this.index.keys(), (path) => isHeadName(path) && this.covers(path)).flatMap((path) => {
      const { id, isSparse } = this.index.get(this.keyOf(path)) ?? {};
      const sparse = isSparse === true && id !== undefined ? { path, ...this.reader(id) } : undefined;
      const now = isStaged ? this.staged(path) : this.isOnDisk(path) ? { path } : sparse;
      return now !== undefined && isFoundHead(path, now.read) ? now : [];
    });
  }

  /** Null for a file that the next commit does not have; undefined where the disk has the same. */
  stagedBytes(path: string, limit: number): Uint8Array | null | undefined {
    const version = this.staged(resolve(this.git.root, relative(this.realRoot, path)));
    return version === undefined ? null : version.read?.(limit);
  }

  /** Null for a file that a commit does not have. */
  bytesIn(commit: ReadonlyMap<string, string>, path: string, limit: number): Uint8Array | null {
    const id = commit.get(this.keyOf(resolve(this.git.root, relative(this.realRoot, path))));
    return id === undefined ? null : this.git.blob(id, limit);
  }

  hasContent(path: string, id: string | undefined): boolean {
    if (id === undefined || !this.isOnDisk(path)) return false;
    const bytes = tryTo(() => readRegularFile(path, maxComparedBytes));
    return bytes !== undefined && bytes.length <= maxComparedBytes && hasBlobId(bytes, id);
  }

  /** Whether it is a regular file, and no folder above it is a link, which may lead anywhere. */
  private isOnDisk(path: string): boolean {
    return (
      lstatSync(path, { throwIfNoEntry: false })?.isFile() === true &&
      realPathOf(path) === resolve(this.realRoot, relative(this.git.root, path))
    );
  }

  private keyOf(path: string): string {
    return keyOf(withForwardSlashes(relative(this.git.root, path)));
  }

  covers(path: string): boolean {
    return this.pathArguments.some((each) => each.selects(path, () => documentNamePattern.test(path)));
  }

  select({ path, read }: Version, isWanted = () => false): readonly Target[] {
    const isLintable = lazy(() => shouldLint(path, this.kind, read));
    const matched = this.pathArguments.filter((each) => each.selects(path, isLintable));
    for (const each of matched) each.isMatched = true;
    if (matched.length === 0 && !isWanted()) return [];
    const targets = matched.flatMap(({ target }) => target ?? []);
    const named = targets.includes(path);
    const folder = targets.find((target) => target !== path);
    const isHead = this.kind !== "routes" && isFoundHead(path, read);
    const how = { named, folder, ...(isHead && { isHead }) };
    return [{ file: displayPath(path, this.cwd), path, ...(read && { read }), ...how }];
  }

  /** Paths that match no file and do not exist, or are outside the repository; `otherwise` is about the rest. */
  problems(otherwise?: (path: string) => string): readonly string[] {
    const unmatched = this.pathArguments.flatMap(({ path, isMatched, fault }) => {
      if (isMatched) return [];
      return fault === undefined ? (otherwise?.(path) ?? []) : [`"${path}" ${fault}.`];
    });
    return [...unmatched, ...this.faults];
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
  /** Whether it names the file itself, whatever the file is called, or a folder that holds it. */
  selects(file: string, isLintable: () => boolean): boolean;
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
    selects: (file, isLintable) =>
      file === target ||
      (isBelow(target, file) && !isVendored(file, isBelow(root, target) ? target : root) && isLintable()),
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
  return repositoryOf(path) === root ? undefined : "is in a repository of its own: run the command there";
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
    selects: (file, isLintable) =>
      !isVendored(file, folder) &&
      (glob.matches(file) || (isNamedAsPack(file) && glob.matchesAbove(file) && isLintable())),
    isMatched: false,
  };
}

/** Whether a search of the folder would skip the path. */
function isVendored(path: string, folder: string): boolean {
  return withForwardSlashes(relative(folder, path)).split("/").includes("node_modules");
}
