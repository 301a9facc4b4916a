import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { clean } from "./packs.js";

const faulty = clean.replace('"name": "Greeter"', '"name": 5');
const record = '{"record":"start","schemaVersion":1,"pack":{},"state":"hello"}\n';
const commands = [
  ["inspect", ["inspect", "a.pack.json"]],
  ["graph", ["graph", "a.pack.json", "-f", "json"]],
  ["simulate", ["simulate", "a.pack.json", "-e", "Done"]],
  ["step", ["step", "a.pack.json", "--run", "new.json", "--start"]],
  ["replay", ["replay", "run.jsonl", "--pack", "a.pack.json"]],
] as const;

const ran = async (args: readonly string[], pack: string, more: Readonly<Record<string, string>> = {}) => {
  const cwd = folderOf({ "a.pack.json": pack, "run.jsonl": record, ...more });
  const { code, stderr } = await promptpack(args, { cwd });
  return { code, stderr };
};

describe.each(commands)("%s of a pack with errors", (command, args) => {
  it("says so, and does its work", async () => {
    expect(await ran(args, clean)).toEqual({ code: 0, stderr: "" });
    expect(await ran(args, faulty)).toEqual({
      code: 0,
      stderr: 'promptpack: "a.pack.json" has 1 error, which "promptpack lint" shows.\n',
    });
  });

  it("says nothing of those that the config silences", async () => {
    const config = { "promptpack.config.yaml": "rules: { schema: off }\n" };
    expect(await ran(args, faulty, config)).toEqual({ code: 0, stderr: "" });
  });

  it("says once that the config is broken, and stops if it has to go by it", async () => {
    const broken = { "promptpack.config.yaml": "rulez: {}\n" };
    expect(await ran(args, faulty, broken)).toEqual({
      code: command === "simulate" || command === "step" ? 0 : 2,
      stderr:
        'promptpack: promptpack.config.yaml:1:1: The configuration has no key "rulez". Did you mean "rules"?\n',
    });
  });
});

it("goes by the config that replay is told to use", async () => {
  const replay = ["replay", "run.jsonl", "--pack", "a.pack.json"];
  const files = { "promptpack.config.yaml": "rulez: {}\n", "c.yaml": "rules: { schema: off }\n" };
  expect(await ran([...replay, "-c", "c.yaml"], faulty, files)).toEqual({ code: 0, stderr: "" });
  expect(await ran([...replay, "--no-config"], faulty, files)).toEqual({
    code: 0,
    stderr: 'promptpack: "a.pack.json" has 1 error, which "promptpack lint" shows.\n',
  });
});

it("is told when a run of step starts, not at each turn", async () => {
  const cwd = folderOf({ "a.pack.json": faulty });
  const step = ["step", "a.pack.json", "--run", "new.json"];
  expect((await promptpack([...step, "--start"], { cwd })).stderr).toContain("has 1 error");
  expect((await promptpack([...step, "--step", "1", "--event", "Done"], { cwd })).stderr).not.toContain(
    "has 1 error",
  );
});

it.each([
  ...commands.filter(([name]) => /inspect|graph|replay/.test(name)),
  ["graph without findings", ["graph", "a.pack.json", "--no-findings"]] as const,
])("%s says that the version of the workflow is unknown", async (_, args) => {
  const version = (number: number) => clean.replace(/("workflow": \{\s*"version": )\d+/, `$1${number}`);
  expect(await ran(args, version(2))).toEqual({ code: 0, stderr: "" });
  expect(await ran(args, version(3))).toEqual({
    code: 0,
    stderr: "promptpack: No published specification defines workflow version 3; the newest is 2.\n",
  });
});
