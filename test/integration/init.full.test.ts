import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { promptpack } from "../cli/harness.js";
import { badEntry, clean, otherId } from "../cli/packs.js";
import { Repository } from "../cli/repository.js";
import { hasProgram, quietEnv } from "./clone.js";

/** A project in which promptpack is installed as a development dependency, and `init` has run. */
async function initialized(): Promise<Repository> {
  const project = new Repository({
    "package.json": '{ "name": "x", "private": true, "devDependencies": { "promptpack": "file:x" } }',
    ".gitignore": "node_modules/\n",
  });
  const bin = join(project.cwd, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, "promptpack"),
    `#!/bin/sh\nexec "${process.execPath}" "${resolve("bin/promptpack.js")}" "$@"\n`,
  );
  chmodSync(join(bin, "promptpack"), 0o755);
  expect((await promptpack(["init"], { cwd: project.cwd })).code).toBe(0);
  return project;
}

/** Stages everything, and has pre-commit look at it. */
function runHook(project: Repository) {
  project.git("add", "--all");
  const env = { ...quietEnv, PRE_COMMIT_HOME: join(project.cwd, "node_modules/.pre-commit") };
  return spawnSync("pre-commit", ["run"], { cwd: project.cwd, env, encoding: "utf8" });
}

interface Hooks {
  readonly repos: readonly [{ readonly hooks: readonly [Readonly<Record<string, unknown>>] }];
}

const finding =
  'a.pack.json:25:14: error: The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]';

describe("what init writes", () => {
  it.runIf(hasProgram("pre-commit"))("is a hook that stops a bad commit", async () => {
    const project = await initialized();
    project.write({ "a.pack.json": badEntry });
    const { status, stdout } = runHook(project);
    expect(stdout).toMatch(/^promptpack lint\.+Failed$/m);
    expect(stdout).toContain("unknown-entry");
    expect(status).toBe(1);
    project.write({ "a.pack.json": clean });
    expect(runHook(project).stdout).toMatch(/^promptpack lint\.+Passed$/m);
  });

  it.runIf(hasProgram("pre-commit"))("is a hook that counts all files of a commit together", async () => {
    const project = await initialized();
    const config = join(project.cwd, ".pre-commit-config.yaml");
    writeFileSync(config, `${readFileSync(config, "utf8")}        args: [--max-warnings=5]\n`);
    const names = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}.pack.json`);
    project.write(Object.fromEntries(names.map((name) => [name, otherId])));
    expect(runHook(project).stdout).toContain("There are 6 warnings, more than the 5");
  });

  it("is a hook like the one that pre-commit finds in this repository", async () => {
    const project = await initialized();
    const own = parse(readFileSync(join(project.cwd, ".pre-commit-config.yaml"), "utf8")) as Hooks;
    const [shipped] = parse(readFileSync(".pre-commit-hooks.yaml", "utf8")) as Hooks["repos"][0]["hooks"];
    const hook = own.repos[0].hooks[0];
    for (const key of ["id", "types_or", "files", "require_serial"]) {
      expect({ [key]: hook[key] }).toEqual({ [key]: shipped[key] });
    }
  });

  it.runIf(hasProgram("bash"))("is a workflow whose second command lints and annotates", async () => {
    const project = await initialized();
    project.write({ "a.pack.json": badEntry });
    const text = readFileSync(join(project.cwd, ".github/workflows/promptpack-lint.yml"), "utf8");
    const { jobs } = parse(text) as { jobs: { lint: { steps: { run?: string }[] } } };
    const runs = jobs.lint.steps.flatMap(({ run }) => run ?? []);
    expect(runs[0]).toBe("npm ci");
    const step = spawnSync("bash", ["-e", "-c", runs[1] ?? ""], {
      cwd: project.cwd,
      env: quietEnv,
      encoding: "utf8",
    });
    expect(step.stdout.split("\n").slice(0, 2)).toEqual([
      finding,
      '::error file=a.pack.json,line=25,endLine=25,col=14,endColumn=20,title=unknown-entry::The workflow starts at "helo", which is not a state. Did you mean "hello"?',
    ]);
    expect(step.status).toBe(1);
  });

  it.runIf(hasProgram("bash"))("is a workflow whose last command compares with the base", async () => {
    const project = await initialized();
    project.write({ "a.pack.json": clean });
    project.commit("base");
    project.git("remote", "add", "origin", project.cwd);
    project.write({ "a.pack.json": clean.replace('"bye"', '"farewell"').replace('"bye"', '"farewell"') });
    const text = readFileSync(join(project.cwd, ".github/workflows/promptpack-lint.yml"), "utf8");
    const { jobs } = parse(text) as { jobs: { lint: { steps: { run?: string; if?: string }[] } } };
    const last = jobs.lint.steps.at(-1);
    expect(last?.if).toBe("github.event_name == 'pull_request'");
    const BASE = project.git("rev-parse", "HEAD").trim();
    const step = spawnSync("bash", ["-e", "-c", last?.run ?? ""], {
      cwd: project.cwd,
      env: { ...quietEnv, BASE },
      encoding: "utf8",
    });
    expect(step.stdout).toMatch(/^::error file=a\.pack\.json,.*title=version-not-raised::/m);
    expect(step.status).toBe(1);
  });
});
