import type { FileKind } from "../../document/file-format.js";
import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { compareText } from "../../diagnostic.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";
import { discover, type Discovery, nothingFoundMessage, type Target } from "./discover.js";
import { isNamedAsPack, PathGlob, shouldLint } from "./find-files.js";
import { Git } from "./git.js";
import { globFault, isGlob } from "./glob.js";
import { isBelow } from "./ignore-files.js";
import { displayPath, realPathOf, withForwardSlashes } from "./paths.js";

/** Changes staged for the next commit, or made since the branch left `since`. */
export type ChangeSelection = { readonly staged: true } | { readonly since: string };

export function changedFiles(
  io: Io,
  paths: readonly string[],
  changes: ChangeSelection,
  kind: FileKind | undefined,
): Discovery {
  const { git, root } = openRepository(io, paths);
  const all =
    "staged" in changes
      ? parseRawDiff(git.list("diff", "--cached", ...rawDiffFlags))
      : filesSince(git, changes.since, root);
  const wanted = paths.length === 0 ? [root] : paths;
  const filter = new PathFilter(wanted, io.cwd, root, kind);
  // Files that are deleted on the disk, or may differ there from what is staged.
  const unstaged = "staged" in changes ? git.list("diff-files", "--name-only", ...nameFlags) : [];
  const edited = new Set(unstaged);
  const targetOf = ({ name, id }: ChangedFile): readonly Target[] => {
    const path = resolve(root, name);
    const reader = gitReader(git, id);
    // The disk is read where it has the same content: git needs a process for each file.
    const differs = edited.has(name) || !existsSync(path);
    const selected = filter.select(path, differs ? reader.read : undefined);
    return selected === undefined ? [] : [{ file: displayPath(path, io.cwd), path, ...selected, ...reader }];
  };
  const targets = all.flatMap(targetOf);
  targets.sort((a, b) => compareText(a.file, b.file));

  /** The files of the next commit, with the content they have there, including those missing on the disk. */
  const asStaged = (found: readonly Target[]): readonly Target[] => {
    const ids = idsInIndex(git);
    const onDisk = found.flatMap((target) => {
      const id = ids.get(withForwardSlashes(relative(root, target.path)));
      return id === undefined ? [] : [{ ...target, ...gitReader(git, id) }];
    });
    const paths = new Set(onDisk.map(({ path }) => path));
    const others = [...edited].flatMap((name) =>
      ids.has(name) ? targetOf({ name, id: ids.get(name) }) : [],
    );
    return [...onDisk, ...others.filter(({ path }) => !paths.has(path))];
  };
  return {
    targets,
    problems: filter.problems(),
    strayPacks: [],
    beside(folders, maxDepth) {
      const all = discover(wanted, io.cwd, kind);
      const beside = all.beside(folders, maxDepth);
      const others = [...all.targets, ...beside];
      return ("staged" in changes ? asStaged(others) : others).filter(({ path }) => !isNamedAsPack(path));
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
  const { git, root } = openRepository(io, paths);
  const filter = new PathFilter(paths.length === 0 ? ["."] : paths, io.cwd, root, "pack");
  const before = filesAt(git, revision);
  const staged = idsInIndex(git);
  const deleted = new Set(git.list("ls-files", "-z", "--deleted", "--full-name", ":/"));
  const names = new Set([...before.keys(), ...staged.keys(), ...untrackedFiles(git)]);
  const packs = [...names].flatMap((name): readonly PackVersions[] => {
    const path = resolve(root, name);
    if (filter.select(path, undefined) === undefined) return [];
    const [oldId, newId] = [before.get(name), deleted.has(name) ? undefined : staged.get(name)];
    const old =
      oldId === undefined ? undefined : { id: oldId, read: (limit: number) => git.blob(oldId, limit) };
    // Missing from the disk, but not deleted: a sparse checkout leaves it out.
    const sparse = newId === undefined || existsSync(path) ? undefined : { path, ...gitReader(git, newId) };
    const now = isRegularFile(path) ? { path } : sparse;
    return old === undefined && now === undefined
      ? []
      : [{ file: displayPath(path, io.cwd), path, old, new: now }];
  });
  const ignored = filter.namedFiles(isRegularFile).map((path) => {
    return { file: displayPath(path, io.cwd), path, old: undefined, new: { path } };
  });
  const sorted = [...packs, ...ignored].sort((a, b) => compareText(a.file, b.file));
  return { packs: sorted, problems: filter.problems((path) => nothingFoundMessage(path, "pack")) };
}

/** The regular files of a commit, by name; none if `HEAD` has no commit yet. */
function filesAt(git: Git, revision: string): ReadonlyMap<string, string> {
  const isUnborn =
    revision === "HEAD" &&
    git.line("rev-parse", "--verify", "--quiet", "HEAD") === undefined &&
    git.line("symbolic-ref", "--quiet", "HEAD") !== undefined;
  if (isUnborn) return new Map();
  const lines = git.list("ls-tree", "-r", "-z", "--full-tree", resolveCommit(git, revision));
  return idsIn(lines, /^100\d+ blob (\w+)\t(.*)$/su);
}

/** The object ids of regular files by their names; `pattern` captures the id and the name. */
function idsIn(lines: readonly string[], pattern: RegExp): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const line of lines) {
    const [, id, name] = pattern.exec(line) ?? [];
    if (id !== undefined && name !== undefined) ids.set(name, id);
  }
  return ids;
}

function isRegularFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function openRepository(io: Io, paths: readonly string[]): { readonly git: Git; readonly root: string } {
  if (paths.includes("-"))
    throw new UsageError("Standard input is not in a repository: name files or folders.");
  const git = new Git(io.cwd, io.env);
  return { git, root: worktreeRoot(git, io.cwd) };
}

function gitReader(git: Git, id: string | undefined): Pick<Target, "read"> {
  return id === undefined ? {} : { read: (limit) => git.blob(id, limit) };
}

function idsInIndex(git: Git): ReadonlyMap<string, string> {
  return idsIn(git.list("ls-files", "-z", "--stage", "--full-name", ":/"), /^100\d+ (\w+) 0\t(.*)$/su);
}

/** The top of the working tree, written as the working folder is. */
function worktreeRoot(git: Git, cwd: string): string {
  const [isInside, up = ""] = git.run("rev-parse", "--is-inside-work-tree", "--show-cdup").split("\n");
  if (isInside !== "true") throw new UsageError("The working folder is not in a git working tree.");
  return resolve(cwd, up);
}

interface ChangedFile {
  /** Relative to the top of the working tree. */
  readonly name: string;
  /** The git object with the content; absent for a file that is read from the disk. */
  readonly id: string | undefined;
}

const nameFlags = ["-z", "--ignore-submodules", "--no-relative"];
const rawDiffFlags = ["--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", ...nameFlags];

/**
 * Files changed since the merge base, committed or not, and untracked ones. Read from the disk, or from git where a
 * sparse checkout leaves them out.
 */
function filesSince(git: Git, ref: string, root: string): readonly ChangedFile[] {
  const commit = resolveCommit(git, ref);
  const base = git.line("merge-base", commit, "HEAD");
  if (base === undefined) {
    const fault = `git knows no common ancestor of "${ref}" and the current commit.`;
    throw new UsageError(fault + shallowCloneHint(git));
  }
  const changed = parseRawDiff(git.list("diff", ...rawDiffFlags, base, "--"));
  const untracked = untrackedFiles(git);
  const ids = new Map(changed.map(({ name, id }) => [name, id]));
  const idOf = (name: string) => (existsSync(resolve(root, name)) ? undefined : ids.get(name));
  return [...new Set([...ids.keys(), ...untracked])].map((name) => ({ name, id: idOf(name) }));
}

function untrackedFiles(git: Git): readonly string[] {
  return git.list("ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/");
}

function resolveCommit(git: Git, ref: string): string {
  const commit = ref.startsWith("-")
    ? undefined
    : git.line("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  if (commit !== undefined) return commit;
  throw new UsageError(`git does not know the commit "${ref}".${missingCommitHint(git, ref)}`);
}

/** A CI job often has only the remote branch, or a single commit. */
function missingCommitHint(git: Git, ref: string): string {
  const remote = `origin/${ref}`;
  const isBranch = git.line("show-ref", "--verify", `refs/remotes/${remote}`) !== undefined;
  return isBranch ? ` Did you mean "${remote}"?` : shallowCloneHint(git);
}

function shallowCloneHint(git: Git): string {
  return git.line("rev-parse", "--is-shallow-repository") === "true"
    ? ' The clone is shallow: fetch more of its history, in GitHub Actions with "fetch-depth: 0".'
    : "";
}

/** Pairs of `:oldmode newmode oldid newid status` and a name; only regular files that still exist. */
function parseRawDiff(words: readonly string[]): readonly ChangedFile[] {
  const changed: ChangedFile[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [, mode = "", , id = "", status = ""] = words[index]?.split(" ") ?? [];
    const name = words[index + 1] ?? "";
    if (mode.startsWith("100") && !/^[DU]/u.test(status)) changed.push({ name, id });
  }
  return changed;
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

  /** The files of the command line that matched nothing, such as those that git ignores. */
  namedFiles(isFile: (path: string) => boolean): readonly string[] {
    const named = this.pathArguments.filter(({ target, isMatched, fault }) => {
      return !isMatched && fault === undefined && target !== undefined && isFile(target);
    });
    for (const each of named) each.isMatched = true;
    return named.flatMap(({ target }) => target ?? []);
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
  return {
    path,
    fault: exists ? outsideRepositoryFault(target, root) : "does not exist",
    target,
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
  return {
    path,
    fault:
      globFault(path) ??
      (existsSync(glob.folder)
        ? outsideRepositoryFault(pathInRepository(root, glob.folder), root)
        : undefined),
    target: undefined,
    matches: (file) => !isVendored(file, folder) && glob.matches(file),
    contains: (file) => isNamedAsPack(file) && !isVendored(file, folder) && glob.matchesAbove(file),
    isMatched: false,
  };
}

/** Whether a search of the folder would skip the path. */
function isVendored(path: string, folder: string): boolean {
  return withForwardSlashes(relative(folder, path)).split("/").includes("node_modules");
}
