import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { generate } from "../../fixtures/hostile/generate.mjs";
import { folderOf } from "../cli/harness.js";

export const program = resolve("bin/promptpack.js");

export interface ChildRan {
  /** Nothing when the program was killed: it ran out of memory, or never came to an end. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program in a process of its own, with little memory; whoever hangs is killed. `npm test` builds first. */
export function start(cwd: string, args: readonly string[], megabytes = 512): ChildRan {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${megabytes}`, program, ...args],
    { cwd, encoding: "utf8", input: "", timeout: 240_000, killSignal: "SIGKILL", maxBuffer: 2 ** 30 },
  );
  return { status, stdout, stderr };
}

/** A folder with one generated input in it. */
export function folderWith(name: string): string {
  const cwd = folderOf({});
  const file = openSync(join(cwd, name), "w");
  for (const chunk of generate(name)) writeSync(file, chunk);
  closeSync(file);
  return cwd;
}

export interface Counted {
  readonly status: number | null;
  readonly stderr: string;
  /** How often each rule spoke. */
  readonly rules: Readonly<Record<string, number>>;
  /** The first finding, without the name of the file. */
  readonly first: string;
}

/** Lints a generated input, and counts what is said of it. */
export function lintGenerated(
  name: string,
  args: readonly string[] = [],
  megabytes?: number,
  format = "compact",
): Counted {
  const { status, stdout, stderr } = start(
    folderWith(name),
    ["lint", name, "--no-config", "-f", format, ...args],
    megabytes,
  );
  const rules: Record<string, number> = {};
  for (const [, rule = ""] of stdout.matchAll(/ \[([a-z-]+)\]$/gm)) rules[rule] = (rules[rule] ?? 0) + 1;
  return { status, stderr, rules, first: (stdout.split("\n", 1)[0] ?? "").slice(name.length + 1) };
}
