import { defaultLimits } from "../../src/document/file-format.js";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AgenticLog } from "../../src/agentic/agentic-log.js";
import type { StepFlags } from "../../src/cli/actions/step-pack.js";
import { stepPack } from "../../src/cli/actions/step-pack.js";
import { checkLog } from "../../src/lint/check-record.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { SeededRandom } from "../../src/simulate/drive-simulation.js";
import { bundle } from "./bundle.js";
import { pack, turns } from "./turns.js";

const folder = mkdtempSync(join(tmpdir(), "promptpack-kill-"));
let program = "";
/** In CI a thousand in all, in two runs side by side: starting a thousand processes takes minutes. */
const killsEach = Number(process.env["KILLS"] ?? (process.env["CI"] === undefined ? 100 : 1000)) / 2;

beforeAll(async () => {
  program = await bundle("test/step/kill-child.ts", folder);
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
  readonly turns: readonly string[];
  readonly outbox: readonly unknown[];
  readonly step: number;
}

/** The run without its times. */
function readRunFile(cwd: string): RunFileContent {
  const timeless = (key: string, value: unknown) => (/_(?:at|since)$/.test(key) ? undefined : value);
  const text = readFileSync(join(cwd, "run.json"), "utf8");
  return (JSON.parse(text, timeless) as { runs: { R1: RunFileContent } }).runs.R1;
}

/** One turn without a child process: the events it prints. */
async function step(cwd: string, flags: StepFlags): Promise<readonly string[]> {
  let printed = "";
  const stdout = { write: (text: string) => (printed += text) };
  const io = { args: [], stdin: process.stdin, stdout, stderr: { write: () => undefined }, cwd, env: {} };
  expect(await stepPack(io, "pack.json", flags)).toBe(0);
  return wholeLines(printed).map(identity);
}

/** A folder with the pack. */
function newFolder(name: string): string {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "pack.json"), pack);
  return cwd;
}

it.concurrent.each([1, 2])(
  "killed again and again, no turn is lost and none is taken twice (seed %i)",
  async (seed) => {
    const cwd = newFolder(`killed-${seed}`);
    const random = new SeededRandom(seed);
    const seen = new Set<string>();
    let log = "";
    let taken = 0;
    for (let kills = 0; kills < killsEach; kills++) {
      // What nobody acknowledged is delivered again, and now and then what was acknowledged, too.
      const from = Math.max(0, taken - random.below(3));
      const life = await liveAndDie(cwd, from, random.below(12));
      taken = Math.max(taken, life.taken);
      for (const line of wholeLines(life.events)) {
        seen.add(identity(line));
        log += `${line}\n`;
      }
    }

    const peace = newFolder(`peace-${seed}`);
    const expected: string[] = [];
    let index = 0;
    for (const flags of turns()) {
      expected.push(...(await step(peace, flags)));
      // The next turn takes away what the killed ones left, and reports what they could not.
      if (index === taken) for (const event of await step(cwd, flags)) seen.add(event);
      if (index++ === taken) break;
    }
    expect([...seen]).toEqual(expected);
    // Lines that were printed again are duplicates, and no worse.
    const replayed = checkLog(new AgenticLog(readJsonLines(log, defaultLimits)), {});
    expect(replayed.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(readRunFile(cwd)).toEqual(readRunFile(peace));
    expect(readdirSync(cwd).sort()).toEqual(["pack.json", "run.json"]);
  },
  30 * 60_000,
);
