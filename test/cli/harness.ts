import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../../src/cli/run.js";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RanRaw extends Omit<Ran, "stdout"> {
  readonly stdout: Uint8Array;
}

export interface Surround {
  readonly cwd?: string;
  /** Bytes in the pieces in which they arrive, or a text in one. */
  readonly stdin?: string | readonly Uint8Array[];
  readonly env?: Readonly<Record<string, string>>;
  /** Columns of standard output, where it is a terminal. */
  readonly terminal?: number;
  readonly signal?: AbortSignal;
  /** The folder for what is kept between runs. */
  readonly cache?: string;
  readonly build?: string;
}

/** Runs the program on a folder without a child process. */
export async function promptpack(args: readonly string[], surround: Surround = {}): Promise<Ran> {
  const ran = await promptpackRaw(args, surround);
  return { ...ran, stdout: Buffer.from(ran.stdout).toString() };
}

/** The same, with the very bytes of its standard output. */
export async function promptpackRaw(args: readonly string[], surround: Surround = {}): Promise<RanRaw> {
  const out: Uint8Array[] = [];
  const err: string[] = [];
  const terminal = surround.terminal === undefined ? {} : { isTTY: true, columns: surround.terminal };
  const code = await run({
    args,
    stdin: chunks(surround.stdin ?? ""),
    stdout: { write: (content) => out.push(Buffer.from(content)), ...terminal },
    stderr: { write: (text: string) => err.push(text) },
    cwd: surround.cwd ?? folderOf({}),
    env: surround.env ?? {},
    ...(surround.signal !== undefined && { signal: surround.signal }),
    ...(surround.cache !== undefined && {
      userCache: { folder: () => surround.cache, build: surround.build ?? "1" },
    }),
  });
  return { code, stdout: Buffer.concat(out), stderr: err.join("") };
}

async function* chunks(content: string | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  if (typeof content === "string") yield Buffer.from(content);
  else yield* content;
}

/** A folder with these files that is gone after the test. It is a repository, so that nothing above it counts. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "promptpack-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, ".git"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
