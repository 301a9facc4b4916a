import { expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";

const record = '{"record":"start","state":"a"}\n';
const commands = [
  ["drawn", ["graph", "a.pack.yaml"]],
  ["simulated", ["simulate", "a.pack.yaml", "-e", "Next"]],
  ["run", ["step", "a.pack.yaml", "--run", "run.json", "--start"]],
  ["used to replay a run", ["replay", "run.jsonl", "--pack", "a.pack.yaml"]],
] as const;

it.each([
  ["", "the pack has no workflow"],
  ["workflow: { entry: a, states: {} }\n", "the workflow has no states"],
  ["workflow: { entry: a, states: [] }\n", "the workflow has no states"],
  ["workflow: { entry: a }\n", "the workflow has no states"],
])("every command tells what is lacking: %j", async (workflow, lack) => {
  const cwd = folderOf({ "a.pack.yaml": `id: a\nprompts: {}\n${workflow}`, "run.jsonl": record });
  for (const [done, args] of commands) {
    expect(await promptpack([...args], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: "a.pack.yaml" cannot be ${done}: ${lack}.\n`,
    });
  }
  const { code, stdout } = await promptpack(["inspect", "a.pack.yaml"], { cwd });
  const sentence = stdout.trimEnd().split("\n").at(-1)?.toLowerCase();
  expect([code, sentence]).toEqual([0, `${lack}.`]);
});
