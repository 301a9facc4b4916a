import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { compareText } from "../../diagnostic.js";
import type { FileKind } from "../../lint/run-rules.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";
import { discover, type Discovery, type Target } from "./discover.js";
import { isNamedAsPack, PathGlob, shouldLint } from "./find-files.js";
import { Git } from "./git.js";
import { globFault, isGlob } from "./glob.js";
import { isBelow } from "./ignore-files.js";
import { displayPath, realPathOf, withForwardSlashes } from "./paths.js";

/** Which changes are asked for: those staged for the next commit, or those since the branch left `since`. */
export type ChangeSelection = { readonly staged: true } | { readonly since: string };

/** The files that changed, narrowed to the paths if there are any. Nothing changed is no trouble. */
export function changedFiles(
  io: Io,
  paths: readonly string[],
  changes: ChangeSelection,
  kind: FileKind | undefined,
): Discovery {
  if (paths.includes("-"))
    throw new UsageError("Standard input is not in a repository: name files or folders.");
  const git = new Git(io.cwd, io.env);
  const root = worktreeRoot(git, io.cwd);
  const all = "staged" in changes ? stagedFiles(git) : filesSince(git, changes.since, root);
  const wanted = paths.length === 0 ? [root] : paths;
  const choose = new PathFilter(wanted, io.cwd, root, kind);
  const edited = "staged" in changes ? unstagedNames(git) : new Set<string>();
  const targetOf = ({ name, id }: ChangedFile): readonly Target[] => {
    const path = resolve(root, name);
    const reader = gitReader(git, id);
    // What a file is can be seen on the disk, where it is the same there: asking git takes a process for each.
    const differs = edited.has(name) || !existsSync(path);
    const asked = choose.select(path, differs ? reader.read : undefined);
    return asked === undefined ? [] : [{ file: displayPath(path, io.cwd), path, ...asked, ...reader }];
  };
  const targets = all.flatMap(targetOf);
  targets.sort((a, b) => compareText(a.file, b.file));

  /** Those that the next commit will have, as it will have them; and those that it has and the disk does not. */
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
    problems: choose.problems(),
    beside(folders, maxDepth) {
      const all = discover(wanted, io.cwd, kind);
      const beside = all.beside(folders, maxDepth);
      const others = [...all.targets, ...beside];
      return ("staged" in changes ? asStaged(others) : others).filter(({ path }) => !isNamedAsPack(path));
    },
  };
}

function gitReader(git: Git, id: string | undefined): Pick<Target, "read"> {
  return id === undefined ? {} : { read: (limit) => git.blob(id, limit) };
}

/** What the next commit will have, by name. */
function idsInIndex(git: Git): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const line of git.list("ls-files", "-z", "--stage", "--full-name", ":/")) {
    const [, id, name] = /^100\d+ (\w+) 0\t(.*)$/su.exec(line) ?? [];
    if (id !== undefined && name !== undefined) ids.set(name, id);
  }
  return ids;
}

/** The names of files that are gone from the disk or may differ there from what is staged. */
function unstagedNames(git: Git): ReadonlySet<string> {
  return new Set(git.list("diff-files", "--name-only", "-z", "--ignore-submodules", "--no-relative"));
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
  /** The object that holds the content; on the disk where there is none. */
  readonly id: string | undefined;
}

const rawDiffFlags = [
  "--raw",
  "-z",
  "--no-abbrev",
  "--no-renames",
  "--no-ext-diff",
  "--ignore-submodules",
  "--no-relative",
];

function stagedFiles(git: Git): readonly ChangedFile[] {
  return parseRawDiff(git.list("diff", "--cached", ...rawDiffFlags));
}

/**
 * Committed or not, and files that git does not know yet; not what only the other branch changed. As they are on the
 * disk, unless a sparse checkout keeps them from it: what is merely deleted is not listed.
 */
function filesSince(git: Git, ref: string, root: string): readonly ChangedFile[] {
  const commit = ref.startsWith("-")
    ? undefined
    : git.line("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  if (commit === undefined)
    throw new UsageError(`git does not know the commit "${ref}".${missingCommitHint(git, ref)}`);
  const base = git.line("merge-base", commit, "HEAD");
  if (base === undefined) {
    const fault = `git knows no common ancestor of "${ref}" and the current commit.`;
    throw new UsageError(fault + shallowCloneHint(git));
  }
  const changed = parseRawDiff(git.list("diff", ...rawDiffFlags, base, "--"));
  const unknown = git.list("ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/");
  const ids = new Map(changed.map(({ name, id }) => [name, id]));
  const idOf = (name: string) => (existsSync(resolve(root, name)) ? undefined : ids.get(name));
  return [...new Set([...ids.keys(), ...unknown])].map((name) => ({ name, id: idOf(name) }));
}

/** What to do about a commit that is not there: a CI job often has the branch of the remote only, or one commit. */
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

/** Which of the changed files the paths of the command line ask for. */
export class PathFilter {
  private readonly pathArguments: readonly PathArgument[];

  constructor(
    paths: readonly string[],
    cwd: string,
    root: string,
    private readonly kind: FileKind | undefined,
  ) {
    this.pathArguments = paths.map((path) => parsePathArgument(path, cwd, root));
  }

  /** Nothing where the file is not meant. */
  select(path: string, read: Target["read"]): Pick<Target, "named" | "folder"> | undefined {
    const isFound =
      this.pathArguments.some((wish) => wish.contains(path)) && shouldLint(path, this.kind, read);
    const met = this.pathArguments.filter((wish) => wish.matches(path) || (isFound && wish.contains(path)));
    for (const wish of met) wish.isMatched = true;
    if (met.length === 0) return undefined;
    const asked = met.flatMap(({ target }) => target ?? []);
    return {
      named: asked.includes(path),
      folder: asked.find((itself) => itself !== path),
    };
  }

  /** A path that is neither changed nor there at all is a mistake; so is one of which git cannot tell. */
  problems(): readonly string[] {
    return this.pathArguments.flatMap(({ path, isMatched, fault }) =>
      isMatched || fault === undefined ? [] : [`"${path}" ${fault}.`],
    );
  }
}

/** A path of the command line. */
interface PathArgument {
  readonly path: string;
  /** Why it is a mistake where nothing that changed is meant. */
  readonly fault: string | undefined;
  /** The file or folder itself; nothing for a glob. */
  readonly target: string | undefined;
  /** Whether the file is meant, whatever it is. */
  matches(file: string): boolean;
  /** Whether the file is meant if it would be found in a folder. */
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

/** As git knows a path: a folder by where it leads, a link by its own name; from outside, a link may lead into the repository. */
function pathInRepository(root: string, path: string): string {
  const target = resolveWithinRoot(path, root);
  const own = join(resolveWithinRoot(dirname(path), root), basename(path));
  const isNear = target === root || isBelow(root, target) || isBelow(target, root);
  if (isNear && statSync(target).isDirectory()) return target;
  return isBelow(root, own) ? own : target;
}

/** Where a path leads, written as the top of the working tree is. */
function resolveWithinRoot(path: string, root: string): string {
  return resolve(root, relative(realPathOf(root), realPathOf(path)));
}

/** Why the repository of the working folder knows nothing of a path that exists; nothing where it may. */
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

/** Whether a walk down from the folder would not come to the path. */
function isVendored(path: string, folder: string): boolean {
  return withForwardSlashes(relative(folder, path)).split("/").includes("node_modules");
}
