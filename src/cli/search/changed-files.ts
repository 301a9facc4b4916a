import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { FileKind } from "../../diagnose/file-kind.js";
import { compareText } from "../../diagnostic.js";
import { Git } from "../files/git.js";
import { displayPath, withForwardSlashes } from "../files/shown-path.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";
import { discover, type Discovery, type Target } from "./discover.js";
import { isNamedAsPack } from "./find-packs.js";
import { PathFilter } from "./path-choice.js";

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
  if (commit === undefined) throw new UsageError(`git does not know the commit "${ref}".${missingCommitHint(git, ref)}`);
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
