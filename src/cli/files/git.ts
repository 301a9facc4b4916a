import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { devNull } from "node:os";
import { dirname, relative, sep } from "node:path";
import process from "node:process";
import { type Io, UsageError } from "../terminal/io.js";
import { realPathOf, repositoryOf } from "./paths.js";
import { errorCode, FileError } from "./read-file.js";

const settings = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "protocol.allow=never",
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

/**
 * In a partial clone, git would fetch a missing object, with the programs that the config of the repository names. Only
 * new versions know the first variable; the second names no protocol, and overrides every `protocol.*.allow`.
 */
const protections = {
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

const maxOutputBytes = 256 * 1024 * 1024;

/** Files by their names relative to the top of the working tree, as `keyOf` gives them. */
type FilesByKey<File> = ReadonlyMap<string, File>;

interface IndexEntry {
  /** The content; undefined for a file with conflicts. */
  readonly id: string | undefined;
  /** Whether a sparse checkout leaves it out. */
  readonly isSparse: boolean;
}

/**
 * Asks git for objects and their names only. No command looks at the working tree or refreshes the index: those run
 * filters, hooks and other programs of the repository, in ways that cannot all be turned off.
 */
export class Git {
  /** The nearest folder with a `.git`, written as the working folder is. */
  readonly root: string;
  private readonly env: Record<string, string | undefined>;

  constructor(cwd: string, env: Io["env"]) {
    const root = repositoryOf(cwd);
    if (root === undefined) throw new UsageError(notInRepository);
    this.root = root;
    // The index of a hook is the commit being made; git finds everything else from the folder.
    const kept = Object.entries(env).filter(([name]) => !/^GIT_/iu.test(name) || name === "GIT_INDEX_FILE");
    this.env = { ...Object.fromEntries(kept), ...protections, GIT_CEILING_DIRECTORIES: dirname(root) };
    this.refuseOtherTrees(cwd);
  }

  /** The id of a commit; undefined for `HEAD` before the first one. */
  commit(ref: string): string | undefined {
    const verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
    const commit = ref.startsWith("-") ? undefined : this.line(...verify);
    if (commit !== undefined) return commit;
    if (ref === "HEAD" && this.line("symbolic-ref", "--quiet", "HEAD") !== undefined) return undefined;
    throw new UsageError(`git does not know the commit "${ref}".${this.missingCommitHint(ref)}`);
  }

  mergeBase(ref: string): string {
    const base = this.line("merge-base", this.commit(ref) ?? ref, "HEAD");
    if (base !== undefined) return base;
    const fault = `git knows no common ancestor of "${ref}" and the current commit.`;
    throw new UsageError(fault + this.shallowCloneHint());
  }

  files(commit: string | undefined): FilesByKey<string> {
    const entries = commit === undefined ? [] : this.list("ls-tree", "-r", "-z", "--full-tree", commit);
    const files = entries.filter(({ fields: [mode] }) => isRegular(mode));
    return new Map(files.map(({ fields: [, , id = ""], key }) => [key, id]));
  }

  index(): FilesByKey<IndexEntry> {
    const entries = this.list("ls-files", "--stage", "-t", "-z");
    const files = entries.filter(({ fields: [, mode] }) => isRegular(mode));
    return new Map(
      files.map(({ fields: [tag, , id, stage], key }) => [
        key,
        { id: stage === "0" ? id : undefined, isSparse: tag === "S" },
      ]),
    );
  }

  /** The bytes of an object, at most `limit` + 1 of them: the extra one shows that it is too large. */
  blob(id: string, limit: number): Uint8Array {
    const { status, stdout, stderr, error } = this.spawn(["cat-file", "blob", id], limit + 1);
    if (errorCode(error) === "ENOBUFS") return stdout.subarray(0, limit + 1);
    if (status !== 0)
      throw new FileError(`cannot be read from git${isUnfetched(stderr) ? `: ${partialClone}` : ""}`);
    return stdout;
  }

  /**
   * The files to compare are those of `root`: settings must not name another folder, whose files a fix would change. Old
   * versions of git would take `root` itself for a repository, if its files look like one and `.git` does not.
   */
  private refuseOtherTrees(cwd: string): void {
    const shown = this.run("rev-parse", "--git-dir", "--show-toplevel").toString("utf8");
    const [gitFolder, ...top] = shown.split("\n").slice(0, -1);
    if (gitFolder === ".") throw new UsageError(notInRepository);
    if (relative(this.root, cwd).split(sep)[0] === ".git") throw new UsageError(notInWorkingTree);
    if (realPathOf(top.join("\n")) === realPathOf(this.root)) return;
    throw new UsageError('The working tree of the repository is not the folder with its ".git".');
  }

  /** A CI job often has only the remote branch, or a single commit. */
  private missingCommitHint(ref: string): string {
    const remote = `origin/${ref}`;
    const isBranch = this.line("rev-parse", "--verify", "--quiet", `refs/remotes/${remote}`) !== undefined;
    return isBranch ? ` Did you mean "${remote}"?` : this.shallowCloneHint();
  }

  private shallowCloneHint(): string {
    return this.line("rev-parse", "--is-shallow-repository") === "true"
      ? ' The clone is shallow: fetch more of its history, in GitHub Actions with "fetch-depth: 0".'
      : "";
  }

  /** Entries of some fields, a tab and a name. */
  private list(...args: readonly string[]) {
    const entries = this.run(...args)
      .toString("latin1")
      .split("\0");
    return entries.map((entry) => {
      const tab = entry.indexOf("\t");
      return { fields: entry.slice(0, tab).split(" "), key: entry.slice(tab + 1) };
    });
  }

  /** One line, or undefined if git fails. */
  private line(...args: readonly string[]): string | undefined {
    const { status, stdout } = this.spawn(args, maxOutputBytes);
    return status === 0 ? stdout.toString("utf8").replace(/\n$/u, "") : undefined;
  }

  private run(...args: readonly string[]): Buffer {
    const { status, stdout, stderr } = this.spawn(args, maxOutputBytes);
    if (status !== 0) throw new UsageError(describeGitFailure(stderr));
    return stdout;
  }

  private spawn(args: readonly string[], maxBuffer: number) {
    const result = spawnSync("git", ["-C", this.root, "--no-pager", ...settings, ...args], {
      // Windows looks for programs in the working folder first, which may hold a hostile "git".
      cwd: dirname(process.execPath),
      env: this.env,
      maxBuffer,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (errorCode(result.error) === "ENOENT")
      throw new UsageError("git is not installed, or not in the PATH.");
    return result;
  }
}

function isRegular(mode: string | undefined): boolean {
  return mode?.startsWith("100") === true;
}

/** Names are bytes to git. With one character for each byte, no two of them become the same. */
export function keyOf(name: string): string {
  return Buffer.from(name).toString("latin1");
}

/** The name as text; not equal to the key again if it is not UTF-8. */
export function nameOf(key: string): string {
  return Buffer.from(key, "latin1").toString();
}

/** Whether git gives this id to these bytes: SHA-1, or SHA-256 where ids are longer. */
export function hasBlobId(bytes: Uint8Array, id: string): boolean {
  const hash = createHash(id.length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === id;
}

const notInRepository = "The working folder is not in a git repository.";
const notInWorkingTree = "The working folder is not in a git working tree.";
const partialClone = "the clone is partial, and the object has not been fetched";

function isUnfetched(stderr: Uint8Array): boolean {
  return /promisor|lazy fetch/u.test(new TextDecoder().decode(stderr));
}

function describeGitFailure(stderr: Uint8Array): string {
  if (isUnfetched(stderr)) return `git cannot tell what changed: ${partialClone}.`;
  const [first = ""] = new TextDecoder().decode(stderr).split("\n");
  if (/not a git repository|safe\.bareRepository/u.test(first)) return notInRepository;
  if (first.includes("must be run in a work tree")) return notInWorkingTree;
  return `git cannot tell what changed: ${first.replace(/^fatal: /u, "").replace(/\.$/u, "")}.`;
}
