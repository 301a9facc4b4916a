import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { triage } from "../composition/triage-pack.js";
import { folderOf, promptpack } from "./harness.js";

it("replays a state that runs a composition as one turn", async () => {
  const cwd = folderOf({ "a.pack.yaml": triage });
  const events = "Again[route no],Again,Again";
  const { stdout } = await promptpack(["simulate", "a.pack.yaml", "-e", events, "-f", "jsonl"], { cwd });
  writeFileSync(join(cwd, "run.jsonl"), stdout);
  const replayed = await promptpack(["replay", "run.jsonl", "--pack", "a.pack.yaml"], { cwd });
  expect(replayed).toEqual({
    code: 0,
    stderr: "",
    stdout: `\
Transition      │ Event   │
────────────────┼─────────┤
→ intake (1)    │ (entry) │
→ intake (2)    │ Again   │
→ intake (3)    │ Again   │
→ intake ⇒ done │ Again   │

✔ No problems in 1 file
`,
  });
});

it("steps through a state that runs a composition in one turn", async () => {
  const cwd = folderOf({ "a.pack.yaml": triage });
  const step = (...flags: readonly string[]) =>
    promptpack(["step", "a.pack.yaml", "--run", "run.json", ...flags], { cwd });
  const started = await step("--start", "--run-id", "R1", "--request", "orders");
  expect([started.code, started.stderr]).toEqual([0, ""]);
  const answered = await step("--result", "ok", "--step", "1", "--tool", "orders");
  expect([answered.code, answered.stderr]).toEqual([0, ""]);
  const ended = await step("--event", "Solved", "--step", "2", "--done");
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  const { runs } = JSON.parse(readFileSync(join(cwd, "run.json"), "utf8")) as {
    runs: Record<string, { status: string }>;
  };
  expect(runs["R1"]?.status).toBe("done");
});
