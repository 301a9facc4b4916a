import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { StepFlags } from "../../src/cli/actions/step-pack.js";
import { bundle } from "./bundle.js";
import { pack } from "./turns.js";

const folder = mkdtempSync(join(tmpdir(), "promptpack-writers-"));
const cwd = mkdtempSync(join(folder, "run-"));
let program = "";

beforeAll(async () => {
  program = await bundle("test/step/writer-child.ts", folder);
  writeFileSync(join(cwd, "pack.json"), pack);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly events: number;
  readonly said: string;
}

/** Starts so many processes, lets all of them go at once, and says how they ended. */
async function takeTurnAtOnce(count: number, flags: StepFlags): Promise<readonly Ended[]> {
  const writers = Array.from({ length: count }, () => {
    const child = spawn(process.execPath, [program, cwd, JSON.stringify(flags)]);
    const [ready, closed] = [once(child.stderr, "data"), once(child, "close")];
    let [events, said] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (events += data.toString()));
    child.stderr.on("data", (data: Buffer) => (said += data.toString()));
    const end = async (): Promise<Ended> => {
      child.stdin.end();
      await closed;
      return {
        code: child.exitCode,
        events: events.split("\n").length - 1,
        said: said.replace("ready\n", ""),
      };
    };
    return { ready, end };
  });
  await Promise.all(writers.map(({ ready }) => ready));
  return Promise.all(writers.map(({ end }) => end()));
}

/** How often each end was seen. */
function tally(all: readonly Ended[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, events, said } of all) {
    const key = `exit ${code}, ${events} events: ${said}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

it("of 50 writers at once, one takes the turn, and the others are told", async () => {
  const run = "run.json";
  const start: StepFlags = {
    run,
    start: true,
    runId: "R1",
    goal: "go",
    maxSteps: "100",
    request: "fetch",
    step: ["1"],
  };
  expect(tally(await takeTurnAtOnce(50, start))).toEqual({
    "exit 0, 2 events: ": 1,
    'exit 0, 0 events: promptpack: Ignored: Run "R1" has already started.\n': 49,
  });
  const result: StepFlags = {
    run,
    result: "ok",
    tool: "fetch",
    attempt: "1",
    step: ["1", "2"],
    request: "fetch",
  };
  expect(tally(await takeTurnAtOnce(50, result))).toEqual({
    "exit 0, 2 events: ": 1,
    "exit 0, 0 events: promptpack: Ignored: This turn was already taken.\n": 49,
  });
  const { runs } = JSON.parse(readFileSync(join(cwd, run), "utf8")) as { runs: { R1: object } };
  expect(runs.R1).toMatchObject({ step: 2, completed_steps: [1], outbox: [] });
  expect(readdirSync(cwd).sort()).toEqual(["pack.json", "run.json"]);
});
