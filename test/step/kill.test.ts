import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Random } from "../../src/simulate/random.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { pack, turns } from "./turns.js";

const folder = mkdtempSync(join(tmpdir(), "promptpack-kill-"));
const program = join(folder, "child.mjs");

beforeAll(async () => {
  await build({
    entryPoints: ["test/step/kill-child.ts"],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Life {
  readonly events: string;
  /** Turns taken so far, as the child told. */
  readonly taken: number;
}

/** Starts the program at a turn and kills it some time after it has told of the first one taken. */
function liveAndDie(cwd: string, from: number, milliseconds: number): Promise<Life> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, cwd, String(from)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [events, told] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (events += data.toString()));
    child.stderr.on("data", (data: Buffer) => {
      if (told === "") setTimeout(() => child.kill("SIGKILL"), milliseconds);
      told += data.toString();
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal !== "SIGKILL") reject(new Error(`the child ended by itself (${String(code)}): ${told}`));
      else resolve({ events, taken: Number(told.split("\n").at(-2) ?? from) });
    });
  });
}

/** What tells an event from the others; times differ from run to run. */
function identity(line: string): string {
  const { type, payload } = JSON.parse(line) as { type: string; payload: Record<string, unknown> };
  return JSON.stringify([type, payload["step"], payload["status"], payload["attempt"], payload["result"]]);
}

const wholeLines = (text: string): string[] => text.split("\n").slice(0, -1);

interface RunFileContent {
  readonly last_turn: string;
  readonly outbox: readonly unknown[];
  readonly step: number;
}

const readRunFile = (cwd: string) =>
  JSON.parse(readFileSync(join(cwd, "run.json"), "utf8")) as RunFileContent;

/** The first turns of the run, taken one by one in peace. */
async function inPeace(count: number): Promise<{ readonly cwd: string; readonly events: readonly string[] }> {
  const cwd = folderOf({ "pack.json": pack });
  const events: string[] = [];
  let index = 0;
  for (const flags of turns()) {
    if (index++ === count) break;
    const { code, stdout } = await promptpack(["step", "pack.json", "--run", "run.json", ...flags], { cwd });
    expect(code).toBe(0);
    events.push(...wholeLines(stdout).map(identity));
  }
  return { cwd, events };
}

it.each([1, 2])("killed 500 times, no turn is lost and none is taken twice (seed %i)", async (seed) => {
  const cwd = join(folder, `run-${seed}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "pack.json"), pack);
  const random = new Random(seed);
  const seen = new Set<string>();
  let taken = 0;
  for (let kills = 0; kills < 500; kills++) {
    // What nobody acknowledged is delivered again, and now and then what was acknowledged, too.
    const from = Math.max(0, taken - random.below(3));
    const life = await liveAndDie(cwd, from, random.below(12));
    taken = Math.max(taken, life.taken);
    for (const line of wholeLines(life.events)) seen.add(identity(line));
  }
  // One more turn in peace: it takes away what the killed ones left, and reports what they could not.
  const flags = [...take(turns(), taken + 1)].at(-1) ?? [];
  const last = await promptpack(["step", "pack.json", "--run", "run.json", ...flags], { cwd });
  expect(last.code).toBe(0);
  for (const line of wholeLines(last.stdout)) seen.add(identity(line));
  expect(readdirSync(cwd).sort()).toEqual(["pack.json", "run.json"]);

  const peace = await inPeace(taken + 1);
  expect([...seen]).toEqual(peace.events);
  expect(readRunFile(cwd)).toEqual(readRunFile(peace.cwd));
});

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const item of items) {
    if (left-- === 0) return;
    yield item;
  }
}
