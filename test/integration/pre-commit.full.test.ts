import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { badEntry, clean, otherId } from "../cli/packs.js";
import { fencedBlocks } from "../docs/fenced-blocks.js";
import { inFolder, slipProject } from "../cli/projects.js";
import { cloneProject, git, hasProgram, quietEnv } from "./clone.js";

const isHere = hasProgram("git") && hasProgram("pre-commit");
const inCi = (process.env["CI"] ?? "") !== "";
/** Installing the hook installs and builds the whole project, as a user's pre-commit does. */
const patience = 1_200_000;

it.runIf(inCi)("has git and pre-commit in CI", () => {
  expect(isHere).toBe(true);
});

/** The config that the README shows, with findings in lines that are easily compared. */
function snippet(): string {
  const all = fencedBlocks(readFileSync("README.md", "utf8"));
  const body = all.find((block) => block.body.startsWith("# .pre-commit-config.yaml\n"))?.body ?? "";
  return body.replace(/^( +)- id: promptpack-lint(?:-sources .*)?\n/gm, "$&$1  args: [--format, compact]\n");
}

describe.runIf(isHere)("pre-commit, pointed at a clone of this repository", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "promptpack-hook-")));
  const [hooks, project] = [join(folder, "hooks"), join(folder, "project")];
  const env = { ...quietEnv, PRE_COMMIT_HOME: join(folder, "home"), npm_config_prefer_offline: "true" };

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    }
    git(project, "add", "--all");
  };

  /** Commits what is staged, through the hook. */
  const commit = (hook = "promptpack lint") => {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
    const { status, stdout, stderr } = spawnSync("git", [...who, "commit", "--message", "packs"], {
      cwd: project,
      env,
      encoding: "utf8",
    });
    const verdicts = [...(stdout + stderr).matchAll(/^(promptpack [^.]+?)\.+(.*)$/gm)];
    const verdict = verdicts.find(([, name]) => name === hook)?.[2];
    return { status, verdict, findings: stdout.concat(stderr).match(/^\S+:\d+:\d+: .*$/gm) ?? [] };
  };

  beforeAll(() => {
    cloneProject(hooks);
    git(folder, "init", "--quiet", project);
    const rev = git(hooks, "rev-parse", "HEAD").trim();
    write({
      ".pre-commit-config.yaml": snippet().replace("ADDRESS", hooks).replace("COMMIT", rev),
      "promptpack.config.yaml": "ignore: [old.pack.json]\n",
    });
    git(project, "commit", "--quiet", "--message", "begin");
    git(project, "tag", "begin");
    const { status, stdout, stderr } = spawnSync("pre-commit", ["install", "--install-hooks"], {
      cwd: project,
      env,
      encoding: "utf8",
    });
    expect(stdout + stderr).toContain("pre-commit installed at .git/hooks/pre-commit");
    expect(status).toBe(0);
  }, patience);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(() => {
    git(project, "reset", "--quiet", "--hard", "begin");
    git(project, "clean", "--quiet", "-fd");
  });

  const notAState = (file: string) =>
    `${file}:25:14: error: The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]`;
  const passed = { status: 0, verdict: "Passed", findings: [] };

  it("stops a bad commit", () => {
    write({ "a.pack.json": badEntry });
    expect(commit()).toEqual({ status: 1, verdict: "Failed", findings: [notAState("a.pack.json")] });
    expect(git(project, "log", "--format=%s")).toBe("begin\n");
  });

  it("lets a good one pass, warnings included", () => {
    write({ "a.pack.json": clean, "b.pack.json": otherId });
    expect(commit()).toEqual(passed);
    expect(git(project, "log", "--format=%s")).toBe("packs\nbegin\n");
  });

  it("looks at all files of a commit, and at packs only", () => {
    const files = { "c.promptpack.json": badEntry, "d.pack.json": clean, "pack.json": badEntry };
    write({ ...files, "notes.json": "{", "backpack.json": "{", "pack.json.txt": "{" });
    expect(commit()).toEqual({
      status: 1,
      verdict: "Failed",
      findings: [notAState("c.promptpack.json"), notAState("pack.json")],
    });
  });

  it("skips a file that the config ignores", () => {
    write({ "old.pack.json": badEntry });
    expect(commit()).toEqual(passed);
  });

  it("stops a commit that breaks a project, and names the file of the project that is wrong", () => {
    const desk = inFolder("desk", slipProject);
    const prompt = "desk/prompts/book.yaml";
    const hook = "promptpack lint (sources)";
    const slip = `${prompt}:16:28: error: Prompt "book" reads the variable "shopp", but does not declare it. Did you mean "shop"? [undeclared-variable]`;
    write({ ...desk, "promptpack.config.yaml": "rules: { undeclared-variable: error }\n" });
    const failed = { status: 1, verdict: "Failed", findings: [slip] };
    expect(commit(hook)).toEqual(failed);
    // A prompt alone stands for its project.
    write({ [prompt]: (desk[prompt] ?? "").replace("{{shopp}}", "{{shop}}") });
    expect(commit(hook)).toEqual({ status: 0, verdict: "Passed", findings: [] });
    write({ [prompt]: desk[prompt] ?? "" });
    expect(commit(hook)).toEqual(failed);
  });

  it("sees what is staged, not what is written beside it", () => {
    write({ "a.pack.json": clean });
    writeFileSync(join(project, "a.pack.json"), badEntry);
    expect(commit()).toEqual(passed);
    write({});
    expect(commit().status).toBe(1);
  });
});
