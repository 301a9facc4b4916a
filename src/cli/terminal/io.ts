import { escapeInvisible, neutralizeLogCommands } from "../../text/escape.js";
import { BadInput } from "../../text/wording.js";

/** Everything outside of the program except for the disk. */
export interface Io {
  readonly args: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends a command that runs until it is stopped, such as `lint --watch`. */
  readonly signal?: AbortSignal;
  /** Where what can be made again is kept between runs, and what tells this build from others. */
  readonly userCache?: { readonly folder: () => string | undefined; readonly build: string };
}

export interface Output {
  write(text: string | Uint8Array): unknown;
  /** Waits until everything is written or has failed; absent if writes are synchronous. */
  settle?(): Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly isLost?: boolean;
  readonly file?: { readonly dev: number; readonly ino: number };
  /** The same output without escaping log commands. */
  readonly raw?: Output;
}

/** Returns more than `limit` bytes if there are more, by a chunk at most; `passOn` then gets all until it returns false. */
export async function readAll(
  input: Io["stdin"],
  limit: number,
  passOn?: (bytes: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    const isPastLimit = length > limit;
    if (!isPastLimit) parts.push(part);
    length += part.length;
    if (length <= limit) continue;
    if ((await passOn?.(isPastLimit ? part : Buffer.concat(parts))) !== true) break;
  }
  return Buffer.concat(parts);
}

export function withStdout(io: Io, stdout: Output): Io {
  // Inherits the getters: standard input and standard error are opened on first use.
  return Object.create(io, { stdout: { value: stdout } }) as Io;
}

const maxLineLength = 100_000;

/** The lines of an input as they arrive, each cut at a length that nobody types. */
export async function* readLines(input: Io["stdin"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLineLength);
    for (const line of lines) yield line.replace(/\r$/u, "").slice(0, maxLineLength);
  }
  if (rest !== "") yield rest;
}

/** CI runners execute commands that they find in a log, so none may come from a file that is linted. */
export function withLogCommandsEscaped(io: Io): Io {
  if (!isCiRunner(io)) return io;
  return Object.create(io, {
    stdout: { value: escapingOutput(io.stdout) },
    stderr: { get: () => escapingOutput(io.stderr) },
  }) as Io;
}

/** For text that is not written to an output, such as a report to `/dev/stderr`. */
export function escapeLogCommands(io: Pick<Io, "env">, text: string): string {
  return isCiRunner(io) ? neutralizeLogCommands(text) : text;
}

/** For our own log commands, and for text that must stay exact. */
export function rawOutput(output: Output): Output {
  return output.raw ?? output;
}

function escapingOutput(output: Output): Output {
  return Object.create(output, {
    write: {
      value: (content: string | Uint8Array) =>
        output.write(neutralizeLogCommands(Buffer.from(content).toString())),
    },
    raw: { value: output },
  }) as Output;
}

/** GitHub Actions or Azure Pipelines. */
function isCiRunner({ env }: Pick<Io, "env">): boolean {
  return env["GITHUB_ACTIONS"] === "true" || env["TF_BUILD"] === "True";
}

/** By precedence: `--color`, `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`, whether it is a terminal. */
export function shouldUseColor(flag: boolean | undefined, { env, stdout }: Io): boolean {
  if (flag !== undefined) return flag;
  if (isSet(env["NO_COLOR"])) return false;
  const { FORCE_COLOR: force, CLICOLOR_FORCE: clicolorForce } = env;
  if (isSet(force)) return force !== "0" && force !== "false";
  if (isSet(clicolorForce) && clicolorForce !== "0") return true;
  return stdout.isTTY === true && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}

/** Terminals known to show OSC 8 links. */
export function supportsHyperlinks({ env, stdout }: Io): boolean {
  if (isSet(env["FORCE_HYPERLINK"])) return env["FORCE_HYPERLINK"] !== "0";
  if (stdout.isTTY !== true || isSet(env["CI"])) return false;
  if (isSet(env["KITTY_WINDOW_ID"]) || isSet(env["WT_SESSION"])) return true;
  if (Number(env["VTE_VERSION"] ?? 0) >= 5000) return true;
  return ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"].includes(env["TERM_PROGRAM"] ?? "");
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

export function printMessage(io: Pick<Io, "stderr">, sentence: string): void {
  io.stderr.write(`promptpack: ${escapeInvisible(sentence)}\n`);
}

/** As a shell takes it. */
export function quoteForShell(path: string): string {
  return /^[\w./@+-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** A mistake in the command line, or in a file that it names. */
export class UsageError extends BadInput {
  override readonly name: string = "UsageError";
}

/** Ends a command whose problem has been printed already. */
export class ReportedError extends BadInput {
  override get lines(): readonly string[] {
    return [];
  }
}

export function conflictingFlags(flag: string, other: string): UsageError {
  return new UsageError(`"${flag}" and "${other}" cannot be used together: choose one.`);
}
