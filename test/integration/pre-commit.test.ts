import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { badEntry, clean, oddEvent } from "../cli/packs.js";
import { cloneProject, git, hasProgram, quietEnv } from "./clone.js";

const isHere = hasProgram("git") && hasProgram("pre-commit");
const inCi = (process.env["CI"] ?? "") !== "";
/** Installing the hook installs and builds the whole project, as a user's pre-commit does. */
const patience = 1_200_000;

const known =
  'The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]';

it.runIf(inCi)("has git and pre-commit in CI", () => {
  expect(isHere).toBe(true);
});

describe.runIf(isHere)("pre-commit, pointed at a clone of this repository", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "promptpack-hook-")));
  const [hooks, project] = [join(folder, "hooks"), join(folder, "project")];
  const env = { ...quietEnv, PRE_COMMIT_HOME: join(folder, "home"), npm_config_prefer_offline: "true" };

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
    git(project, "add", "--all");
  };

  /** Commits what is staged through the hook; only this goes through it. */
  const commit = () => {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
    const { status, stdout, stderr } = spawnSync("git", [...who, "commit", "--message", "packs"], {
      cwd: project,
      env,
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  };

  beforeAll(() => {
    cloneProject(hooks);
    git(folder, "init", "--quiet", project);
    const rev = git(hooks, "rev-parse", "HEAD").trim();
    write({
      ".pre-commit-config.yaml": `repos:\n  - repo: ${hooks}\n    rev: ${rev}\n    hooks:\n      - id: promptpack-lint\n`,
      "promptpack.config.yaml": "ignore: [old.pack.json]\n",
    });
    git(project, "commit", "--quiet", "--message", "begin");
    const { status, stdout, stderr } = spawnSync("pre-commit", ["install", "--install-hooks"], {
      cwd: project,
      env,
      encoding: "utf8",
    });
    expect(stdout + stderr).toContain("pre-commit installed at .git/hooks/pre-commit");
    expect(status).toBe(0);
  }, patience);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("stops a bad commit", () => {
    write({ "a.pack.json": badEntry });
    const { status, output } = commit();
    expect(status).toBe(1);
    expect(output).toMatch(/^promptpack lint\.+Failed$/m);
    expect(output).toContain("- exit code: 1");
    expect(output).toContain(known.split(" [")[0]);
    expect(git(project, "log", "--oneline").trim().split("\n").length).toBe(1);
  });

  it("lets a good one pass, warnings included", () => {
    write({ "a.pack.json": clean, "b.pack.json": oddEvent });
    const { status, output } = commit();
    expect(output).toMatch(/^promptpack lint\.+Passed$/m);
    expect(status).toBe(0);
  });

  it("looks at all files of a commit, and at packs only", () => {
    write({
      "pack.yaml": "a: [",
      "c.promptpack.json": badEntry,
      "d.pack.json": clean,
      "notes.json": "{",
      "backpack.json": "{",
    });
    const { status, output } = commit();
    expect(status).toBe(1);
    expect(output).toContain("Checked 3 files");
    expect(output).not.toMatch(/notes|backpack/);
    rmSync(join(project, "pack.yaml"));
    rmSync(join(project, "c.promptpack.json"));
    write({});
    expect(commit().status).toBe(0);
  });

  it("skips a file that the config ignores", () => {
    write({ "old.pack.json": badEntry });
    const { status, output } = commit();
    expect(output).toMatch(/^promptpack lint\.+Passed$/m);
    expect(status).toBe(0);
  });

  it("sees what is staged, not what is written beside it", () => {
    write({ "a.pack.json": clean.replace("Greeter", "Greeting") });
    writeFileSync(join(project, "a.pack.json"), badEntry);
    expect(commit().status).toBe(0);
    write({});
    expect(commit().status).toBe(1);
    write({ "a.pack.json": clean });
  });
});

describe.runIf(isHere)("npm pack", () => {
  it("prints the name of the tarball alone, and packs only what runs", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "promptpack-tarball-")));
    try {
      const { stdout, status } = spawnSync("npm", ["pack", "--pack-destination", folder], {
        env: quietEnv,
        encoding: "utf8",
      });
      expect({ stdout, status }).toEqual({ stdout: "promptpack-0.1.0.tgz\n", status: 0 });
      const list = spawnSync("tar", ["-tzf", join(folder, stdout.trim())], { encoding: "utf8" }).stdout;
      const tops = new Set(list.trim().split("\n").map((name) => name.split("/").slice(1, name.includes("/docs/") ? 3 : 2).join("/")));
      expect([...tops].sort()).toEqual([
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "bin",
        "dist",
        "docs/rules",
        "package.json",
        "schema",
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
