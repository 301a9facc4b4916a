import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { expectFile } from "../expected-file.js";

const root = "fixtures/records";
const pack = "fixtures/packs/rfc-0009-codegen.pack.yaml";
const run = [
  "PlanReady",
  "CodeReady[commit_sha=abc123]",
  "TestsFailed[test_report=2/5 pass]",
  "CodeReady[commit_sha=def456]",
  "TestsPassed[test_report=5/5 pass]",
  "Approved",
].join(",");

/** In the example of the RFC, the names of the tools break the schema. */
const errorsIn = (file: string) => `promptpack: "${file}" has 3 errors, which "promptpack lint" shows.\n`;

describe("recorded runs", () => {
  const records = readdirSync(root).filter((file) => /\.jsonl?$/u.test(file));

  it("are these", () => {
    expect(records).toEqual([
      "codegen-cut-off.jsonl",
      "codegen-lost-line.jsonl",
      "codegen-unheeded-guard.context.json",
      "codegen.context.json",
      "codegen.jsonl",
    ]);
  });

  it("begin with what simulate writes", async () => {
    const args = ["simulate", pack, "--events", run, "--format", "jsonl"];
    const { stdout } = await promptpack(args, { cwd: process.cwd() });
    expectFile(join(root, "codegen.jsonl"), stdout);
    const lines = stdout.split("\n");
    expectFile(join(root, "codegen-lost-line.jsonl"), lines.toSpliced(3, 1).join("\n"));
    expectFile(join(root, "codegen-cut-off.jsonl"), lines.slice(0, 6).join("\n").slice(0, -30));
  });

  it.each(records)("give what stands beside %s", async (file) => {
    const args = ["replay", "--full", join(root, file), "--pack", pack];
    const { code, stdout, stderr } = await promptpack(args, { cwd: process.cwd() });
    expect(stderr).toBe(errorsIn(pack));
    expectFile(join(root, `${file}.out`), `${stdout}exit ${code}\n`);
  });
});

describe("promptpack replay", () => {
  const record = readFileSync(join(root, "codegen.jsonl"), "utf8");
  const files = { "run.jsonl": record, "codegen.pack.yaml": readFileSync(pack, "utf8") };
  const long = record.replace('"budget":{"maxTotalVisits":30}', '"budget":{"maxTotalVisits":3}');

  it("wants a pack for a run of a workflow", async () => {
    const { code, stderr } = await promptpack(["replay", "run.jsonl"], { cwd: folderOf(files) });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'promptpack: "run.jsonl" is the record of a workflow run: name its pack with "--pack <pack>".\n',
    });
  });

  it("sets budgets aside", async () => {
    const cwd = folderOf({ ...files, "run.jsonl": long });
    const args = ["replay", "run.jsonl", "--pack", "codegen.pack.yaml", "--format", "compact"];
    const held = await promptpack(args, { cwd });
    expect(held.code).toBe(1);
    expect(held.stdout).toContain("run.jsonl:1:");
    expect(held.stdout).toContain(
      "The run was held to a budget of 3 visits, but the pack allows 30 (line 93 of the pack). [run-budget]",
    );
    expect(await promptpack([...args, "--no-budget"], { cwd })).toEqual({
      code: 0,
      stdout: "",
      stderr: errorsIn("codegen.pack.yaml"),
    });
  });

  it.each(["max_tool_calls", "max_wall_time_sec"])(
    "tells of %s where the pack sets it alone",
    async (limit) => {
      const budget = `budget: { ${limit}: 4 }`;
      const limited = files["codegen.pack.yaml"].replace(/budget:\n(?: +max_\w+: \d+\n)+/u, `${budget}\n`);
      expect(limited).toContain(budget);
      const cwd = folderOf({ ...files, "limited.pack.yaml": limited });
      const args = ["replay", "run.jsonl", "--pack", "limited.pack.yaml", "-f", "compact"];
      const { stdout } = await promptpack(args, { cwd });
      expect(stdout.match(/so max_\w+ \(\d+\) is not checked/gu)).toEqual([`so ${limit} (4) is not checked`]);
    },
  );

  it("fits a narrow terminal", async () => {
    const lost = files["run.jsonl"].split("\n").toSpliced(3, 1).join("\n");
    const cwd = folderOf({ ...files, "lost.jsonl": lost });
    const args = ["replay", "lost.jsonl", "--pack", "codegen.pack.yaml", "--no-color"];
    const { stdout } = await promptpack(args, { cwd, terminal: 45 });
    const lines = stdout.split("\n").filter((line) => !/[│┤]/u.test(line));
    expect(lines.some((line) => line.includes("└"))).toBe(true);
    expect(lines.filter((line) => line.length > 45)).toEqual([]);
  });

  it("heeds the config", async () => {
    const config = { rules: { "run-budget": "off", "run-incomplete": "off" } };
    const cwd = folderOf({ ...files, "run.jsonl": long, "promptpack.config.json": JSON.stringify(config) });
    const args = ["replay", "run.jsonl", "--pack", "codegen.pack.yaml", "--format", "compact"];
    expect(await promptpack(args, { cwd })).toEqual({
      code: 0,
      stdout: "",
      stderr: errorsIn("codegen.pack.yaml"),
    });
  });

  it("reads a record from standard input", async () => {
    const args = ["replay", "-", "--pack", "codegen.pack.yaml", "--format", "compact", "--no-budget"];
    const { code } = await promptpack(args, { cwd: folderOf(files), stdin: record });
    expect(code).toBe(0);
  });
});
