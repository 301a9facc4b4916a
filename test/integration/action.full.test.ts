import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { folderOf } from "../cli/harness.js";
import { badEntry, clean, oddEvent } from "../cli/packs.js";
import { quietEnv } from "./clone.js";

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync("action.yml", "utf8")) as Action;
const { steps } = action.runs;
const lintStep = steps.find(({ id }) => id === "lint");

/** Runs the step that lints as the runner would: inputs put into its environment, bash told to stop at errors. */
function lint(cwd: string, inputs: Readonly<Record<string, string>>) {
  const values = new Map(
    Object.entries(action.inputs).map(([name, input]) => [name, inputs[name] ?? input.default]),
  );
  const fill = (text: string) =>
    text.replace(/\$\{\{ (?:inputs\.([a-z-]+)|github\.action_path) \}\}/g, (_, name?: string) =>
      name === undefined ? resolve(".") : (values.get(name) ?? `no input ${name}`),
    );
  const env = Object.fromEntries(
    Object.entries(lintStep?.env ?? {}).map(([name, text]) => [name, fill(text)]),
  );
  const files = { GITHUB_OUTPUT: join(cwd, ".git/output"), GITHUB_STEP_SUMMARY: join(cwd, ".git/summary") };
  const runner = { GITHUB_WORKSPACE: cwd, RUNNER_TEMP: join(cwd, ".git"), GITHUB_ACTIONS: "true", ...files };
  const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", lintStep?.run ?? ""];
  const { status, stdout, stderr } = spawnSync("bash", shell, {
    cwd,
    env: { ...quietEnv, ...runner, ...env },
    encoding: "utf8",
  });
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  const annotated = [...stdout.matchAll(/^::(\w+) file=([^,]*),/gm)].map(
    ([, level, file]) => `${level} ${file}`,
  );
  return {
    status,
    annotated,
    stderr,
    output: read(files.GITHUB_OUTPUT),
    summary: read(files.GITHUB_STEP_SUMMARY),
  };
}

describe("action.yml", () => {
  it("is a composite action whose steps say which shell they want", () => {
    expect(action.runs.using).toBe("composite");
    expect(steps.map(({ run, shell, uses }) => [run === undefined, shell, uses])).toEqual([
      [false, "bash", undefined],
      [false, "bash", undefined],
      [true, undefined, "github/codeql-action/upload-sarif@v4"],
    ]);
    for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)]) {
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("puts nothing into a script", () => {
    expect(steps.filter(({ run }) => run?.includes("${{") === true)).toEqual([]);
  });

  it("uses every input, and none that it does not have", () => {
    const used = [...JSON.stringify(steps).matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it("is installed from its own folder", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(steps[0]?.run).toContain("npm ci --include=dev");
    expect(scripts["postprepare"]).toMatch(/^node scripts\/build\.mjs/);
  });
});

describe.runIf(process.platform !== "win32")("the step that lints", () => {
  const packs = { "a.pack.json": badEntry, "sub/b.pack.json": clean, "sub/o dd.pack.json": oddEvent };

  it("annotates, with paths of the repository, and writes the step summary", () => {
    const { status, annotated, stderr, output, summary } = lint(folderOf(packs), {});
    expect({ status, annotated, stderr, output }).toEqual({
      status: 1,
      annotated: ["error a.pack.json", "warning sub/o dd.pack.json"],
      stderr: "",
      output: undefined,
    });
    expect(summary).toMatch(/^## ❌/);
  });

  it("takes paths, a folder, and arguments, one per line", () => {
    const cwd = folderOf(packs);
    expect(lint(cwd, { "working-directory": "sub" })).toMatchObject({
      status: 0,
      annotated: ["warning sub/o dd.pack.json"],
    });
    expect(
      lint(cwd, { paths: "sub/b.pack.json\n\nsub/o dd.pack.json\n", "max-warnings": "0" }),
    ).toMatchObject({
      status: 1,
      annotated: ["warning sub/o dd.pack.json"],
    });
    expect(
      lint(cwd, {
        paths: "*.pack.json",
        "working-directory": "sub",
        args: "--rule=event-name-case:error\n--quiet",
      }),
    ).toMatchObject({
      status: 1,
      annotated: ["error sub/o dd.pack.json"],
    });
  });

  it("takes absolute paths as they are", () => {
    const cwd = folderOf(packs);
    expect(lint(cwd, { paths: `${cwd}/sub\nC:\\none.json`, "working-directory": "elsewhere" })).toMatchObject(
      {
        status: 2,
        annotated: ["warning sub/o dd.pack.json"],
        stderr: 'promptpack: "C:\\none.json" does not exist.\n',
      },
    );
  });

  it("says where the report for code scanning is, also when it found something", () => {
    const cwd = folderOf(packs);
    const { status, output } = lint(cwd, { sarif: "true" });
    const report = join(cwd, ".git/promptpack.sarif");
    expect({ status, output }).toEqual({ status: 1, output: `sarif-file=${report}\n` });
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ version: "2.1.0" });
  });

  it("has no report where the tool could not do its job", () => {
    expect(lint(folderOf(packs), { sarif: "true", args: "--nope" })).toMatchObject({
      status: 2,
      output: undefined,
      stderr: 'promptpack: Unknown option "--nope".\n',
    });
  });

  it.each([
    ["a broken config", { "promptpack.config.yaml": "nope: 1" }, "", "❌ Nothing was checked"],
    ["a path that is missing", {}, "sub/b.pack.json\nsub/none.json", "❌ No problems in 1 file"],
  ])("lets code scanning take nothing for fixed after %s", (_, more, paths, title) => {
    const { status, output, summary } = lint(folderOf({ ...packs, ...more }), { sarif: "true", paths });
    expect({ status, output }).toEqual({ status: 2, output: undefined });
    expect(summary?.split("\n")[0]).toBe(`## ${title}`);
  });

  it("runs nothing that an input says", () => {
    const cwd = folderOf(packs);
    const evil = '"; touch made; $(touch made) `touch made`';
    for (const name of Object.keys(action.inputs)) lint(cwd, { [name]: evil });
    lint(cwd, { paths: "--fix" });
    expect(existsSync(join(cwd, "made"))).toBe(false);
    expect(readFileSync(join(cwd, "a.pack.json"), "utf8")).toBe(badEntry);
  });
});
