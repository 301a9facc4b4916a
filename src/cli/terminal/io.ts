import { neutralizeLogCommands } from "../../text/escape.js";

/** Everything the program knows of the outside besides the disk. */
export interface Io {
  readonly args: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends what would go on for ever. */
  readonly signal?: AbortSignal;
}

export interface Output {
  write(text: string | Uint8Array): unknown;
  /** Waits until it shows whether what was written is lost; absent where each write waits itself. */
  settle?(): Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Nobody reads it any more. */
  readonly isLost?: boolean;
  /** The file that it goes to, where it goes to one. */
  readonly file?: { readonly dev: number; readonly ino: number };
  /** The output behind this one, where this one keeps commands from a runner. */
  readonly unguarded?: Output;
}

/**
 * At most `limit` bytes and one chunk more, which tells that there were more. `passOn` then gets them all, one after the
 * other, for as long as it wants them: whoever has to hand them on cannot hold them.
 */
export async function readAll(
  input: Io["stdin"],
  limit: number,
  passOn?: (bytes: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    const isBeyond = length > limit;
    if (!isBeyond) parts.push(part);
    length += part.length;
    if (length <= limit) continue;
    if ((await passOn?.(isBeyond ? part : Buffer.concat(parts))) !== true) break;
  }
  return Buffer.concat(parts);
}

/** The same, but what goes to standard output goes there. Inherits the rest: who uses standard input opens it. */
export function withStdout(io: Io, stdout: Output): Io {
  return Object.create(io, { stdout: { value: stdout } }) as Io;
}

/** A line longer than this is cut: nobody types it. */
const maxLineLength = 100_000;

/** The lines of an input as they come, the last one also when no newline ends it. */
export async function* readLines(input: Io["stdin"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const lines = (
      rest + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))
    ).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLineLength);
    for (const line of lines) yield line.replace(/\r$/u, "").slice(0, maxLineLength);
  }
  if (rest !== "") yield rest;
}

/** The same, but where a runner reads along, it finds no commands in what is written. */
export function withLogCommandsEscaped(io: Io): Io {
  if (!isCiRunner(io)) return io;
  // Inherits the rest: standard input and standard error are opened only by who uses them.
  return Object.create(io, {
    stdout: { value: escapingOutput(io.stdout) },
    stderr: { get: () => escapingOutput(io.stderr) },
  }) as Io;
}

/** For what leaves the program by another way than its outputs, such as a report to `/dev/stderr`. */
export function escapeLogCommands(io: Pick<Io, "env">, text: string): string {
  return isCiRunner(io) ? neutralizeLogCommands(text) : text;
}

/** For commands of our own, and for what must stay exact. */
export function rawOutput(output: Output): Output {
  return output.unguarded ?? output;
}

function escapingOutput(output: Output): Output {
  return Object.create(output, {
    write: {
      value: (content: string | Uint8Array) =>
        output.write(neutralizeLogCommands(Buffer.from(content).toString())),
    },
    unguarded: { value: output },
  }) as Output;
}

/** GitHub Actions or Azure Pipelines. */
function isCiRunner({ env }: Pick<Io, "env">): boolean {
  return env["GITHUB_ACTIONS"] === "true" || env["TF_BUILD"] === "True";
}

/** `--color` over `NO_COLOR` over `FORCE_COLOR` and `CLICOLOR_FORCE` over `CLICOLOR` and what standard output is. */
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
