import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import process from "node:process";
import { lazy } from "../../text/collections.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";
import { errorCode, FileError } from "./read-file.js";

/** Set by git for its hooks, or by people with unusual repositories; a hook's index is the commit being made. */
const keptVariables = new Set([
  "GIT_DIR",
  "GIT_COMMON_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_CEILING_DIRECTORIES",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_PARAMETERS",
  "GIT_CONFIG_COUNT",
]);

/** One setting of `GIT_CONFIG_COUNT`: a container's way to `safe.directory`. */
const configEntryVariable = /^GIT_CONFIG_(?:KEY|VALUE)_\d+$/u;

/**
 * In a partial clone, git would fetch a missing object, with the programs that the config of the repository names. Only
 * new versions know the first variable; the second names no protocol, and overrides every `protocol.*.allow`.
 */
const offline = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" };

const maxOutputBytes = 256 * 1024 * 1024;

/** Runs git commands that change nothing, run no program of the repository and need no shell. */
export class Git {
  private readonly env: Record<string, string | undefined>;
  private readonly withoutFilters = lazy(() => this.filterSettings());

  constructor(
    private readonly cwd: string,
    env: Io["env"],
  ) {
    const kept = Object.entries(env).filter(
      ([name]) => !name.startsWith("GIT_") || keptVariables.has(name) || configEntryVariable.test(name),
    );
    this.env = { ...Object.fromEntries(kept), ...offline, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  }

  list(...args: readonly string[]): readonly string[] {
    return this.run(...args)
      .split("\0")
      .slice(0, -1);
  }

  /** One line, or undefined if git fails. */
  line(...args: readonly string[]): string | undefined {
    const { status, stdout } = this.spawn(args, maxOutputBytes);
    return status === 0 ? stdout.toString("utf8").replace(/\n$/u, "") : undefined;
  }

  /** The bytes of an object, at most `limit` + 1 of them: the extra one shows that it is too large. */
  blob(id: string, limit: number): Uint8Array {
    const { status, stdout, stderr, error } = this.spawn(["cat-file", "blob", id], limit + 1);
    if (errorCode(error) === "ENOBUFS") return stdout.subarray(0, limit + 1);
    if (status !== 0)
      throw new FileError(`cannot be read from git${isUnfetched(stderr) ? `: ${partialClone}` : ""}`);
    return stdout;
  }

  run(...args: readonly string[]): string {
    const { status, stdout, stderr } = this.spawn(args, maxOutputBytes);
    if (status !== 0) throw new UsageError(describeGitFailure(stderr));
    return stdout.toString("utf8");
  }

  /**
   * A comparison with files on the disk would run the filters that the repository configures, so each is set to nothing.
   * Names may hold any character, which only variables can pass on.
   */
  private filterSettings(): Record<string, string> {
    const listed = this.start(
      ["config", "--name-only", "-z", "--get-regexp", "^filter\\."],
      maxOutputBytes,
      {},
    );
    const keys = listed.stdout.toString("utf8").split("\0");
    const drivers = new Set(
      keys.filter((key) => key !== "").map((key) => key.replace(/^filter\.|\.[^.]*$/gu, "")),
    );
    const settings = [...drivers].flatMap((driver) => [
      [`filter.${driver}.clean`, ""],
      [`filter.${driver}.process`, ""],
      [`filter.${driver}.required`, "false"],
    ]);
    const given = Number(this.env["GIT_CONFIG_COUNT"] ?? 0) || 0;
    const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(given + settings.length) };
    for (const [index, [key = "", value = ""]] of settings.entries()) {
      variables[`GIT_CONFIG_KEY_${given + index}`] = key;
      variables[`GIT_CONFIG_VALUE_${given + index}`] = value;
    }
    return variables;
  }

  private spawn(args: readonly string[], maxBuffer: number) {
    return this.start(args, maxBuffer, this.withoutFilters());
  }

  private start(args: readonly string[], maxBuffer: number, settings: Record<string, string>) {
    const result = spawnSync("git", ["-C", this.cwd, "-c", "core.fsmonitor=false", ...args], {
      // Windows looks for programs in the working folder first, which may hold a hostile "git".
      cwd: dirname(process.execPath),
      env: { ...this.env, ...settings },
      maxBuffer,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (errorCode(result.error) === "ENOENT")
      throw new UsageError("git is not installed, or not in the PATH.");
    return result;
  }
}

const partialClone = "the clone is partial, and the object has not been fetched";

function isUnfetched(stderr: Uint8Array): boolean {
  return /promisor|lazy fetch/u.test(new TextDecoder().decode(stderr));
}

function describeGitFailure(stderr: Uint8Array): string {
  if (isUnfetched(stderr)) return `git cannot tell what changed: ${partialClone}.`;
  const [first = ""] = new TextDecoder().decode(stderr).split("\n");
  if (first.includes("not a git repository")) return "The working folder is not in a git repository.";
  return `git cannot tell what changed: ${first.replace(/^fatal: /u, "").replace(/\.$/u, "")}.`;
}
