import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean, oddEvent } from "./packs.js";
import { cleanProject, inFolder } from "./projects.js";

const [config, hooks, workflow] = [
  "promptpack.config.yaml",
  ".pre-commit-config.yaml",
  ".github/workflows/promptpack-lint.yml",
];
const lock = { "package-lock.json": "{}" };
const manifest = { "package.json": '{ "devDependencies": { "promptpack": "file:../promptpack" } }', ...lock };
const wrote = `Wrote "promptpack.config.yaml", the config.
Wrote ".pre-commit-config.yaml", a pre-commit hook that lints the packs of each commit once "pre-commit install" has been run.
Wrote ".github/workflows/promptpack-lint.yml", a GitHub workflow that lints all packs and annotates what it finds.
`;
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");

describe("init", () => {
  it("writes a config, a hook and a workflow, and says so", async () => {
    const cwd = folderOf(manifest);
    expect(await promptpack(["init"], { cwd })).toEqual({ code: 0, stdout: wrote, stderr: "" });
    expect(parse(read(cwd, hooks))).toMatchObject({
      repos: [{ repo: "local", hooks: [{ id: "promptpack-lint" }] }],
    });
    expect(parse(read(cwd, workflow))).toMatchObject({ name: "promptpack", on: ["push", "pull_request"] });
  });

  it("writes a config that changes nothing", async () => {
    const cwd = folderOf({ ...manifest, "a.pack.json": badEntry, "b.pack.json": oddEvent });
    const before = await promptpack(["lint", "-f", "compact"], { cwd });
    await promptpack(["init"], { cwd });
    expect(await promptpack(["lint", "-f", "compact"], { cwd })).toEqual(before);
    const { stdout } = await promptpack(["lint", "--print-config", "a.pack.json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ config, extends: "recommended", ignored: false });
  });

  it("never writes over a file", async () => {
    const cwd = folderOf({
      ...manifest,
      [config]: "extends: strict\n",
      [hooks]: "repos: []\n",
      [workflow]: "",
    });
    const { code, stdout, stderr } = await promptpack(["init"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").filter((line) => /^\S/.test(line))).toEqual([
      'Left "promptpack.config.yaml" alone: it already exists.',
      'Left ".pre-commit-config.yaml" alone: it already exists. To add the hook, add this to its "repos":',
      'Left ".github/workflows/promptpack-lint.yml" alone: it already exists.',
    ]);
    const shown = stdout.split("\n").filter((line) => line.startsWith("    "));
    expect(parse(shown.join("\n"))).toMatchObject([{ repo: "local", hooks: [{ id: "promptpack-lint" }] }]);
    expect([config, hooks, workflow].map((name) => read(cwd, name))).toEqual([
      "extends: strict\n",
      "repos: []\n",
      "",
    ]);
  });

  it("leaves all alone the second time", async () => {
    const cwd = folderOf(manifest);
    await promptpack(["init"], { cwd });
    expect(await promptpack(["init"], { cwd })).toEqual({
      code: 0,
      stdout: [config, hooks, workflow].map((name) => `Left "${name}" alone: it already exists.\n`).join(""),
      stderr: "",
    });
  });

  it("takes a link that leads nowhere, or any other config, for what it is", async () => {
    const cwd = folderOf({ ...manifest, ".promptpackrc": "extends: errors\n" });
    symlinkSync("nowhere.yaml", join(cwd, hooks));
    const { stdout } = await promptpack(["init"], { cwd });
    expect(stdout).toContain(
      'Did not write "promptpack.config.yaml": there is already a config, ".promptpackrc".\n',
    );
    expect(stdout).toContain('Left ".pre-commit-config.yaml" alone: it already exists.');
    expect(existsSync(join(cwd, config))).toBe(false);
    expect(existsSync(join(cwd, "nowhere.yaml"))).toBe(false);
  });

  it.runIf(process.platform !== "win32")("waits for no FIFO", async () => {
    const cwd = folderOf(lock);
    execFileSync("mkfifo", [join(cwd, hooks), join(cwd, "package.json")]);
    const { code, stdout, stderr } = await promptpack(["init"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('Left ".pre-commit-config.yaml" alone: it already exists. To add the hook');
    expect(stderr).toContain("it is not listed there yet");
  });

  it("--dry-run prints the same and writes nothing", async () => {
    const cwd = folderOf({ ...manifest, [workflow]: "" });
    const { code, stdout } = await promptpack(["init", "--dry-run"], { cwd });
    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => /^\S/.test(line))).toEqual([
      'Would write "promptpack.config.yaml", the config:',
      'Would write ".pre-commit-config.yaml", a pre-commit hook that lints the packs of each commit once "pre-commit install" has been run:',
      'Left ".github/workflows/promptpack-lint.yml" alone: it already exists.',
    ]);
    expect([config, hooks].filter((name) => existsSync(join(cwd, name)))).toEqual([]);
    const shown = stdout
      .split("\n")
      .flatMap((line) => (line.startsWith("    ") || line === "" ? line.slice(4) : []));
    await promptpack(["init"], { cwd });
    expect(shown.join("\n")).toContain(read(cwd, hooks).trimEnd());
  });

  it("says that promptpack is not installed, where it is not", async () => {
    for (const files of [{}, { "package.json": '{ "dependencies": {} }' }, { "package.json": "{" }]) {
      const { code, stderr } = await promptpack(["init"], { cwd: folderOf({ ...files, ...lock }) });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr:
          "promptpack: The hook and the workflow run the promptpack in package.json, but it is not listed there yet. Add it with " +
          '"npm install --save-dev --allow-git=root" and the git address of promptpack. From version 12 on, npm needs the line ' +
          '"allow-git=root" in .npmrc for "npm ci", too.\n',
      });
    }
  });

  it("says that the workflow needs a lock file of npm, where there is none", async () => {
    const { "package.json": json } = manifest;
    const stderr =
      'promptpack: The workflow runs "npm ci", which needs a package-lock.json, and there is none. Commit the one that npm writes, ' +
      "or replace that line by the install command of your package manager.\n";
    const other = folderOf({ "package.json": json, "pnpm-lock.yaml": "" });
    expect(await promptpack(["init"], { cwd: other })).toEqual({ code: 0, stdout: wrote, stderr });
    expect((await promptpack(["init"], { cwd: other })).stderr).toBe("");
    const shrunk = folderOf({ "package.json": json, "npm-shrinkwrap.json": "{}" });
    expect(await promptpack(["init"], { cwd: shrunk })).toEqual({ code: 0, stdout: wrote, stderr: "" });
  });

  it("writes what lints projects, and checks each pack that is compiled from one", async () => {
    const cwd = folderOf({
      ...manifest,
      ...inFolder("a desk's", cleanProject),
      ...inFolder("b", cleanProject),
      ...inFolder("${{ x }}", cleanProject),
      "c/arena.yaml": cleanProject["arena.yaml"]?.replace("spec:", "spec: [") ?? "",
      "b/other.pack.json": clean,
    });
    for (const folder of ["a desk's", "${{ x }}"])
      await promptpack(["compile", folder, "-o", `${folder}/dist/desk.pack.json`], { cwd });
    const { stdout, stderr } = await promptpack(["init"], { cwd });
    expect({ stdout, stderr }).toEqual({
      stdout: wrote.replace(
        "lints the packs of each commit once",
        "lints all projects and packs at each commit once",
      ),
      stderr: "",
    });
    const { repos } = parse(read(cwd, hooks)) as { repos: { hooks: object[] }[] };
    expect(repos.flatMap((repo) => repo.hooks)).toEqual([
      {
        id: "promptpack-lint-sources",
        name: "promptpack lint (sources)",
        entry: "npx --no-install promptpack lint",
        language: "system",
        types_or: ["json", "yaml"],
        pass_filenames: false,
        require_serial: true,
      },
    ]);
    const { jobs } = parse(read(cwd, workflow)) as { jobs: { lint: { steps: { run?: string }[] } } };
    const runs = jobs.lint.steps.flatMap(({ run }) => run ?? []);
    expect(runs.slice(0, -1)).toEqual([
      "npm ci",
      "npx --no-install promptpack lint --format github",
      "npx --no-install promptpack compile 'a desk'\\''s/arena.yaml' --check 'a desk'\\''s/dist/desk.pack.json'",
    ]);
    const check = ["compile", "a desk's/arena.yaml", "--check", "a desk's/dist/desk.pack.json"];
    expect(await promptpack(check, { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("goes to the top of the repository", async () => {
    const cwd = folderOf({ ...manifest, "sub/deep/x": "" });
    expect(await promptpack(["init"], { cwd: join(cwd, "sub/deep") })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: Hooks and workflows belong at the top of a repository: run this in "../..".\n',
    });
  });

  it.each([
    [".github", []],
    [".github/workflows", []],
    [".github/workflows", ["--dry-run"]],
  ])("says what cannot be written where %s is a file %j", async (name, args) => {
    const cwd = folderOf({ ...manifest, [name]: "a file" });
    const { code, stderr } = await promptpack(["init", ...args], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'promptpack: ".github/workflows/promptpack-lint.yml" cannot be written: not a directory.\n',
    });
  });
});
