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

export interface Surround {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Columns of standard output, where it is a terminal. */
  readonly terminal?: number;
  readonly signal?: AbortSignal;
}

/** Runs the program on a folder without a child process. */
export async function promptpack(args: readonly string[], surround: Surround = {}): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = surround.terminal === undefined ? {} : { isTTY: true, columns: surround.terminal };
  const code = await run({
    args,
    stdin: chunks(surround.stdin ?? ""),
    stdout: { write: (text: string) => out.push(text), ...terminal },
    stderr: { write: (text: string) => err.push(text) },
    cwd: surround.cwd ?? folderOf({}),
    env: surround.env ?? {},
    ...(surround.signal !== undefined && { signal: surround.signal }),
  });
  return { code, stdout: out.join(""), stderr: err.join("") };
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
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
