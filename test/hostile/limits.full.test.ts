import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { clean } from "../cli/packs.js";
import { folderWith, lintGenerated, start } from "./child.js";

const tooDeep = 'error: The values are nested more than 200 levels deep. "--max-depth" raises the limit.';
const tooManyCopies =
  'error: Aliases and merge keys add more than 100000 values. "--max-alias-nodes" raises the limit.';

describe("what is over a limit", () => {
  it.each([
    ["nested-lists.json", `1:206: ${tooDeep}`],
    ["nested-objects.json", `1:1001: ${tooDeep}`],
    ["nested-flow.yaml", `1:206: ${tooDeep}`],
    ["nested-flow-maps.yaml", `1:802: ${tooDeep}`],
    ["nested-dashes.yaml", `1:405: ${tooDeep}`],
    ["nested-questions.yaml", `1:404: ${tooDeep}`],
    ["nested-blocks.yaml", `202:202: ${tooDeep}`],
    ["aliases-that-multiply.yaml", `6:34: ${tooManyCopies}`],
    ["merges-that-multiply.yaml", `101:11: ${tooManyCopies}`],
    ["many-aliases-of-one.yaml", `100003:5: ${tooManyCopies}`],
    ["100-mb.pack.json", '1:1: error: The file has more than 67108864 bytes. "--max-size" raises the limit.'],
  ])("is refused with one line that names the flag: %s", (name, line) => {
    expect(lintGenerated(name)).toEqual({
      status: 1,
      stderr: "",
      rules: { "parse-error": 1 },
      first: `${line} [parse-error]`,
    });
  });

  it.each([
    ["below-a-long-name.pack.json", "compact"],
    ["below-a-long-name.pack.json", "json"],
    ["events-of-a-long-name.pack.json", "compact"],
    ["events-of-a-long-name.pack.json", "sarif"],
  ])("is refused where a long name would be told with each of many findings: %s as %s", (name, format) => {
    const message =
      "The findings of this file take more than 100000000 characters. Look for a very long name, or for a mistake that is repeated very often.";
    const { status, stdout, stderr } = start(folderWith(name), ["lint", name, "-f", format]);
    expect({ status, stderr, isTold: stdout.includes(message) }).toEqual({
      status: 1,
      stderr: "",
      isTold: true,
    });
    expect(stdout.length).toBeLessThan(200_000);
    const silenced = start(folderWith(name), ["lint", name, "-f", format, "--rule", "parse-error:off"]);
    expect(silenced.status).toBe(1);
  });

  it("is read when the flag raises the limit", () => {
    const deep = start(folderWith("nested-lists.json"), [
      "lint",
      "nested-lists.json",
      "-f",
      "compact",
      "--max-depth",
      "300000",
    ]);
    expect(deep.status).toBe(1);
    expect(deep.stdout).toContain('"id" must be a string, found a list. [schema]');
    const aliases = start(folderWith("many-aliases-of-one.yaml"), [
      "lint",
      "many-aliases-of-one.yaml",
      "-f",
      "compact",
      "--max-alias-nodes",
      "200000",
    ]);
    expect(aliases.stdout).toContain('"a" is not a property of a pack. [schema]');
    expect(aliases.stdout).not.toContain("parse-error");
  });

  it.each([
    ["a.pack.json", clean, "1:1"],
    ["a.pack.yaml", clean, "1:1"],
  ])("is refused for its number of values: %s", async (name, text) => {
    const cwd = folderOf({ [name]: text });
    const few = await promptpack(["lint", name, "-f", "compact", "--max-values", "10"], { cwd });
    expect(few.code).toBe(1);
    expect(few.stdout).toMatch(
      /^a\.pack\.\w+:\d+:\d+: error: The file holds more than 10 values. "--max-values" raises the limit\. \[parse-error\]\n$/,
    );
    const enough = await promptpack(["lint", name, "-f", "compact", "--max-values", "1000"], { cwd });
    expect(enough).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  describe.each([
    ["inspect", []],
    ["graph", []],
    ["simulate", ["--random", "1"]],
    ["step", ["--run", "run.json", "--start"]],
  ] as const)("is refused by %s", (command, args) => {
    const run = (text: string, ...flags: readonly string[]) =>
      promptpack([command, "a.pack.yaml", ...args, ...flags], { cwd: folderOf({ "a.pack.yaml": text }) });

    it("beyond the limits of lint, with the flag that raises them", async () => {
      const deep = clean.replace("{", `{ "metadata": { "x": ${"[".repeat(300)}${"]".repeat(300)} },`);
      expect(await run(deep)).toEqual({
        code: 2,
        stdout: "",
        stderr: `a.pack.yaml:1:221: ${tooDeep} [parse-error]\n`,
      });
      const { stdout, stderr } = await run(deep, "--max-depth", "400");
      expect(stdout).not.toBe("");
      expect(stderr).not.toContain("parse-error");
    });

    it.each([
      ["--max-size", "100"],
      ["--max-depth", "2"],
      ["--max-alias-nodes", "1"],
      ["--max-values", "10"],
    ])("beyond %s %s", async (flag, limit) => {
      const text = clean.replace("{", '{ "metadata": { "x": &x [1, 2, 3], "y": *x },');
      const { code, stdout, stderr } = await run(text, flag, limit);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        new RegExp(
          `^a\\.pack\\.yaml:\\d+:\\d+: error: .* "${flag}" raises the limit\\. \\[parse-error\\]\\n$`,
        ),
      );
      expect((await run(text, flag, "x")).stderr).toMatch(
        new RegExp(`^promptpack: "${flag}" must be a .*\\n$`),
      );
    });
  });

  it("is refused from standard input as from a file", async () => {
    const { code, stdout } = await promptpack(["lint", "-", "-f", "compact", "--max-size", "1kB"], {
      stdin: clean + " ".repeat(2000),
    });
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        '<stdin>:1:1: error: The file has more than 1024 bytes. "--max-size" raises the limit. [parse-error]\n',
    });
  });
});

describe("what is large and within the limits", () => {
  it("lists with more values than a call takes arguments", () => {
    const many = 200_000;
    const api = Array.from({ length: many }, () => ({ scopes: ["read"] }));
    const scopes = Array.from({ length: many }, () => "read");
    for (const routes of [{ api }, { scopes }]) {
      const { diagnostics } = lint(JSON.stringify({ pipelines: [], ...routes }), { kind: "routes" });
      expect(diagnostics).toEqual([]);
    }
  });

  it("one line of 50 MB, in both formats", () => {
    expect(lintGenerated("one-line-of-50-mb.pack.json")).toEqual({
      status: 1,
      stderr: "",
      rules: { schema: 1 },
      first:
        '1:50000208: error: "workflow" must be an object with "version", "entry" and "states"; found 7. [schema]',
    });
    const pretty = start(folderWith("one-line-of-50-mb.pack.json"), ["lint", "one-line-of-50-mb.pack.json"]);
    expect(pretty.status).toBe(1);
    expect(Math.max(...pretty.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lintGenerated("one-line-of-50-mb.pack.yaml")).toMatchObject({ status: 1, rules: { schema: 2 } });
  });

  it("a million keys in one map, in both formats", () => {
    expect(lintGenerated("million-keys.pack.json")).toEqual({ status: 0, stderr: "", rules: {}, first: "" });
    expect(lintGenerated("million-keys.pack.yaml", [], 768)).toMatchObject({
      status: 1,
      rules: { schema: 1 },
      first: expect.stringContaining(
        'The pack has no "name", "version", "template_engine" or "prompts".',
      ) as string,
    });
  });

  it.each([
    ["bad-lines.yaml", 20],
    ["bad-tokens.json", 20],
    ["open-quote.json", 1],
    ["open-quotes.yaml", 1],
  ])("syntax errors without end are told up to a number: %s", (name, faults) => {
    expect(lintGenerated(name)).toMatchObject({
      status: 1,
      stderr: "",
      rules: { "parse-error": faults },
    });
  });
});
