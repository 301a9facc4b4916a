import { chmodSync, copyFileSync, existsSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean } from "./packs.js";
import { gitEnv, Repository } from "./repository.js";
import { isFull } from "../runs.js";

const unborn = 'The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]';

async function lint(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = gitEnv) {
  const { code, stdout, stderr } = await promptpack(["lint", "-f", "compact", ...args], { cwd, env });
  const bad = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(`:25:14: error: ${unborn}`, ""));
  return { code, bad, stderr };
}

const nothing = { code: 0, bad: [], stderr: "" };

describe("lint --staged", () => {
  it("lints what is staged, as it is staged", async () => {
    const repository = new Repository({
      "a.pack.json": clean,
      "b.pack.json": badEntry,
      "c.pack.json": clean,
    });
    const { cwd } = repository;
    expect(await lint(cwd, ["--staged"])).toEqual(nothing);
    repository.write({ "a.pack.json": badEntry, "new.pack.json": badEntry });
    repository.git("add", "a.pack.json");
    repository.write({ "a.pack.json": clean });
    expect(await lint(cwd, ["--staged"])).toEqual({ code: 1, bad: ["a.pack.json"], stderr: "" });
    repository.git("add", "a.pack.json");
    repository.write({ "a.pack.json": badEntry });
    expect(await lint(cwd, ["--staged"])).toEqual(nothing);
  });

  it.runIf(process.platform !== "win32")("runs no git that lies in the working folder", async () => {
    const { cwd } = new Repository({ "a.pack.json": clean, git: "#!/bin/sh\ntouch ran\n" });
    chmodSync(join(cwd, "git"), 0o755);
    const PATH = [".", gitEnv.PATH].join(delimiter);
    expect(await lint(cwd, ["--staged"], { ...gitEnv, PATH })).toEqual(nothing);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("works before the first commit, from any folder, for names of any kind", async () => {
    const repository = new Repository({});
    repository.git("update-ref", "-d", "HEAD");
    const names = ['ü\n"x.pack.json', "sub/deep.pack.json", "-f.pack.json"];
    repository.write(
      Object.fromEntries([...names, "sub/node_modules/m.pack.json"].map((name) => [name, badEntry])),
    );
    repository.git("add", "--all");
    expect((await lint(repository.cwd, ["--staged"])).bad.sort()).toEqual([
      "-f.pack.json",
      "sub/deep.pack.json",
      'ü\\n"x.pack.json',
    ]);
    expect((await lint(join(repository.cwd, "sub"), ["--staged"])).bad.sort()).toEqual([
      "../-f.pack.json",
      '../ü\\n"x.pack.json',
      "deep.pack.json",
    ]);
  });

  it("leaves out what is deleted, links, and what is not called a pack", async () => {
    const repository = new Repository({ "a.pack.json": badEntry, "b.pack.json": badEntry });
    repository.git("rm", "--quiet", "a.pack.json");
    repository.write({ "notes.json": "{" });
    symlinkSync("b.pack.json", join(repository.cwd, "link.pack.json"));
    repository.git("add", "--all");
    expect(await lint(repository.cwd, ["--staged"])).toEqual(nothing);
    expect((await lint(repository.cwd, ["--staged", "notes.json"])).code).toBe(1);
  });

  it("takes a renamed file under its new name, and one that is gone from the disk", async () => {
    const repository = new Repository({ "a.pack.json": badEntry });
    repository.git("mv", "a.pack.json", "z.pack.json");
    rmSync(join(repository.cwd, "z.pack.json"));
    expect(await lint(repository.cwd, ["--staged"])).toEqual({ code: 1, bad: ["z.pack.json"], stderr: "" });
  });

  it("is narrowed by paths", async () => {
    const repository = new Repository({ "same.pack.json": clean });
    const names = ["one/a.pack.json", "one/b.pack.json", "two/c.pack.json", "two/d.txt"];
    repository.write(Object.fromEntries(names.map((name) => [name, badEntry])));
    repository.git("add", "--all");
    const { cwd } = repository;
    expect((await lint(cwd, ["--staged", "one"])).bad).toEqual(["one/a.pack.json", "one/b.pack.json"]);
    expect((await lint(cwd, ["--staged", "."])).bad).toEqual(names.slice(0, 3));
    expect((await lint(cwd, ["--staged", "two/*.txt", "**/b.*"])).bad).toEqual([
      "one/b.pack.json",
      "two/d.txt",
    ]);
    expect((await lint(cwd, ["--staged", `${cwd}/tw?/*.json`])).bad).toEqual(["two/c.pack.json"]);
    expect((await lint(join(cwd, "one"), ["--staged", "../two/*.txt"])).bad).toEqual(["../two/d.txt"]);
    expect(await lint(cwd, ["--staged", "same.pack.json"])).toEqual(nothing);
    expect(await lint(cwd, ["--staged", "onne"])).toEqual({
      code: 2,
      bad: [],
      stderr: 'promptpack: "onne" does not exist.\n',
    });
  });

  it("passes over no path that lies elsewhere, and follows a link into the repository", async () => {
    const repository = new Repository({});
    repository.write({ "one/a.pack.json": badEntry });
    repository.git("add", "--all");
    const { cwd } = repository;
    const elsewhere = folderOf({ "b.pack.json": badEntry });
    symlinkSync(cwd, join(elsewhere, "link"));
    for (const path of [elsewhere, join(elsewhere, "b.pack.json"), join(elsewhere, "*.json")]) {
      expect(await lint(cwd, ["--staged", path])).toEqual({
        code: 2,
        bad: [],
        stderr: `promptpack: "${path}" is not in the repository of the working folder.\n`,
      });
    }
    expect((await lint(cwd, ["--staged", join(elsewhere, "link/one")])).bad).toEqual(["one/a.pack.json"]);
    expect((await lint(cwd, ["--staged", join(cwd, "..")])).bad).toEqual(["one/a.pack.json"]);
  });

  it("passes over no repository inside of this one, such as a submodule", async () => {
    const repository = new Repository({ "a.pack.json": clean });
    repository.write({ "sub/deep/b.pack.json": badEntry, "a.pack.json": badEntry });
    repository.git("init", "--quiet", "sub");
    repository.git("add", "a.pack.json");
    const { cwd } = repository;
    for (const path of ["sub", "sub/deep/b.pack.json", "sub/**/*.json"]) {
      expect(await lint(cwd, ["--staged", path])).toEqual({
        code: 2,
        bad: [],
        stderr: `promptpack: "${path}" is in a repository of its own: run the command there.\n`,
      });
    }
    expect(await lint(cwd, ["--staged", "."])).toEqual({ code: 1, bad: ["a.pack.json"], stderr: "" });
  });

  it("lints what is staged under a name, whatever a link of that name leads to by now", async () => {
    const repository = new Repository({});
    const { cwd } = repository;
    repository.write({ "one/a.pack.json": badEntry, "two/b.pack.json": clean });
    repository.git("add", "--all");
    rmSync(join(cwd, "one/a.pack.json"));
    symlinkSync("../two/b.pack.json", join(cwd, "one/a.pack.json"));
    expect((await lint(cwd, ["--staged", "one/a.pack.json"])).bad).toEqual(["one/a.pack.json"]);
    symlinkSync(join(folderOf({ "sub/notes.txt": "" }), "sub"), join(cwd, "outside"));
    expect(await lint(cwd, ["--staged", "outside"])).toEqual(nothing);
  });

  it("follows a link to a folder of the repository", async () => {
    const repository = new Repository({});
    repository.write({ "one/a.pack.json": badEntry });
    const { cwd } = repository;
    symlinkSync("one", join(cwd, "link"));
    repository.git("add", "--all");
    expect((await lint(cwd, ["--staged", "link"])).bad).toEqual(["one/a.pack.json"]);
    expect((await lint(cwd, ["--staged", "link/a.pack.json"])).bad).toEqual(["one/a.pack.json"]);
  });

  it("takes the packs in the folders that a glob matches", async () => {
    const repository = new Repository({});
    const names = ["packs/a/deep/x.pack.json", "packs/a/notes.json", "packs/b.json", "other/y.pack.json"];
    repository.write(Object.fromEntries(names.map((name) => [name, badEntry])));
    repository.write({ "packs/node_modules/z.pack.json": badEntry, "packs/promptpack.config.json": "{}" });
    repository.git("add", "--all");
    const { cwd } = repository;
    const expected = ["packs/a/deep/x.pack.json", "packs/b.json"];
    for (const glob of ["packs/*", "./packs/*/", `${cwd}/packs/*`]) {
      expect((await lint(cwd, [glob])).bad).toEqual(expected);
      expect((await lint(cwd, ["--staged", glob])).bad).toEqual(expected);
    }
  });

  it("passes over node_modules in a folder, not those that the folder lies in", async () => {
    const repository = new Repository({});
    repository.write({
      "node_modules/own/a.pack.json": badEntry,
      "node_modules/own/node_modules/b.pack.json": badEntry,
    });
    repository.git("add", "--all");
    const own = join(repository.cwd, "node_modules/own");
    expect(await lint(repository.cwd, ["--staged"])).toEqual(nothing);
    expect(await lint(repository.cwd, ["--staged", "**/*.json"])).toEqual(nothing);
    for (const path of ["node_modules/own", "node_modules/own/*.json", "node_modules/*"]) {
      expect((await lint(repository.cwd, [path])).bad).toEqual(["node_modules/own/a.pack.json"]);
      expect((await lint(repository.cwd, ["--staged", path])).bad).toEqual(["node_modules/own/a.pack.json"]);
    }
    repository.git("init", "--quiet", own);
    repository.git("-C", own, "commit", "--quiet", "--allow-empty", "--message", "begin");
    repository.git("-C", own, "add", "--all");
    for (const args of [["--staged"], ["--staged", "*.json"], ["--staged", ".."], ["--since", "HEAD"]])
      expect((await lint(own, args)).bad).toEqual(["a.pack.json"]);
  });

  it("heeds the config, and the limits", async () => {
    const repository = new Repository({ "promptpack.config.yaml": "ignore: [old]\n" });
    repository.write({ "old/a.pack.json": badEntry, "b.pack.json": clean });
    repository.git("add", "--all");
    expect(await lint(repository.cwd, ["--staged"])).toEqual(nothing);
    const { code, bad } = await lint(repository.cwd, ["--staged", "--max-size", "100"]);
    expect({ code, bad }).toEqual({
      code: 1,
      bad: [expect.stringMatching(/^b\.pack\.json:1:1: error: .*100 bytes.*\[parse-error\]$/) as string],
    });
  });

  it("reads the index that git gives to a hook", async () => {
    const repository = new Repository({ "a.pack.json": clean });
    const index = join(repository.cwd, ".git", "other-index");
    repository.write({ "a.pack.json": badEntry });
    repository.git("add", "a.pack.json");
    copyFileSync(join(repository.cwd, ".git", "index"), index);
    expect((await lint(repository.cwd, ["--staged"], { ...gitEnv, GIT_EXTERNAL_DIFF: "false" })).code).toBe(
      1,
    );
    repository.git("reset", "--quiet");
    expect(await lint(repository.cwd, ["--staged"])).toEqual(nothing);
    const env = { ...gitEnv, GIT_INDEX_FILE: index };
    expect(await lint(repository.cwd, ["--staged"], env)).toEqual({
      code: 1,
      bad: ["a.pack.json"],
      stderr: "",
    });
  });
});

describe("lint --since", () => {
  it("lints what changed since the branches parted, committed or not", async () => {
    const repository = new Repository({
      "a.pack.json": clean,
      "b.pack.json": clean,
      "old.pack.json": badEntry,
    });
    const { cwd } = repository;
    repository.git("checkout", "--quiet", "-b", "topic");
    expect(await lint(cwd, ["--since", "main"])).toEqual(nothing);
    repository.write({ "a.pack.json": badEntry });
    repository.commit("on the topic");
    repository.write({
      "b.pack.json": badEntry,
      "new.pack.json": badEntry,
      ".gitignore": "x.*\n",
      "x.pack.json": "{",
    });
    repository.git("checkout", "--quiet", "--force", "main");
    repository.write({ "main.pack.json": badEntry });
    repository.git("add", "main.pack.json");
    repository.git("commit", "--quiet", "--message", "elsewhere");
    repository.git("checkout", "--quiet", "topic");
    repository.write({ "b.pack.json": badEntry });
    const expected = { code: 1, bad: ["a.pack.json", "b.pack.json", "new.pack.json"], stderr: "" };
    expect(await lint(cwd, ["--since", "main"])).toEqual(expected);
    expect(await lint(join(cwd), ["--since", "HEAD"])).toEqual({
      ...expected,
      bad: ["b.pack.json", "new.pack.json"],
    });
  });

  it("takes from git what a sparse checkout leaves there, but not what is deleted", async () => {
    const names = ["x/a.pack.json", "x/gone.pack.json", "y/b.pack.json", "y/c.pack.json"];
    const repository = new Repository(Object.fromEntries(names.map((name) => [name, clean])));
    const { cwd } = repository;
    repository.git("switch", "--quiet", "--create", "topic");
    const withSkill = (pack: string) => pack.replace("{", '{"skills": ["./skills/one"],');
    repository.write({
      "x/a.pack.json": badEntry,
      "x/gone.pack.json": badEntry,
      "y/b.pack.json": withSkill(badEntry),
      "y/skills/one": "",
      "y/routes.yaml": "plugins: { agentic-loop: { config: { allowed_plugins: [store] } } }\npipelines: []\n",
    });
    repository.commit("topic");
    repository.git("sparse-checkout", "set", "x");
    rmSync(join(cwd, "x/gone.pack.json"));
    expect(existsSync(join(cwd, "y"))).toBe(false);
    const packs = ["--since", "main", "--kind", "pack"];
    expect(await lint(cwd, packs)).toEqual({ code: 1, bad: ["x/a.pack.json", "y/b.pack.json"], stderr: "" });
    expect(await lint(cwd, [...packs, "y"])).toEqual({ code: 1, bad: ["y/b.pack.json"], stderr: "" });
    const { bad } = await lint(cwd, ["--since", "main", "--rule", "route-limits:off"]);
    expect(bad.map((line) => line.replace(/:.*\[/, " ["))).toEqual([
      "x/a.pack.json",
      "y/b.pack.json",
      "y/routes.yaml [route-missing]",
    ]);
  });

  it("fixes only what a sparse checkout has on the disk", async () => {
    const fixable = clean.replace('"terminal": true', '"on_event": {}');
    const repository = new Repository({ "x/a.pack.json": clean, "y/b.pack.json": clean });
    const { cwd } = repository;
    repository.git("switch", "--quiet", "--create", "topic");
    repository.write({ "x/a.pack.json": fixable, "y/b.pack.json": fixable });
    repository.commit("topic");
    repository.git("sparse-checkout", "set", "x");
    const args = ["lint", "--since", "main", "-f", "compact"];
    const shown = await promptpack([...args, "--fix-dry-run"], { cwd, env: gitEnv });
    expect(shown.stdout.match(/^\+\+\+ .*$/gmu)).toEqual(["+++ b/x/a.pack.json"]);
    const { code, stdout, stderr } = await promptpack([...args, "--fix"], { cwd, env: gitEnv });
    expect(stdout).toMatch(/^y\/b\.pack\.json:.*\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "promptpack: Fixed 1 finding in 1 file.\n" });
  });

  it("looks at the disk", async () => {
    const repository = new Repository({ "a.pack.json": clean, "b.pack.json": clean });
    repository.write({ "a.pack.json": badEntry });
    repository.git("add", "--all");
    repository.write({ "a.pack.json": clean.replace("Greeter", "Other") });
    rmSync(join(repository.cwd, "b.pack.json"));
    expect(await lint(repository.cwd, ["--since", "HEAD"])).toEqual(nothing);
  });

  it("leaves out what ignore files name, unless git tracks it or you name it, and reads no other list", async () => {
    const repository = new Repository({ "a.pack.json": clean, ".gitignore": "a.*\nb.*\nlow/\n" });
    const { cwd } = repository;
    repository.git("add", "--force", "a.pack.json");
    repository.git("commit", "--quiet", "--allow-empty", "--message", "ignored, but tracked");
    const names = [
      "a.pack.json",
      "b.pack.json",
      "c.pack.json",
      "low/d.pack.json",
      "node_modules/e.pack.json",
    ];
    repository.write(Object.fromEntries(names.map((name) => [name, badEntry])));
    repository.write({ ".git/info/exclude": "c.*\n" });
    const since = async (...paths: string[]) => (await lint(cwd, ["--since", "HEAD", ...paths])).bad;
    expect(await since()).toEqual(["a.pack.json", "c.pack.json"]);
    expect(await since("*.json", "low")).toEqual(["a.pack.json", "c.pack.json"]);
    expect(await since("low/d.pack.json", "b.pack.json")).toEqual(["b.pack.json", "low/d.pack.json"]);
  });

  it("compares bytes: other line endings are a change, another time is none", async () => {
    const repository = new Repository({ "a.pack.json": badEntry, "b.pack.json": badEntry });
    const { cwd } = repository;
    repository.git("config", "core.autocrlf", "true");
    repository.write({ "a.pack.json": badEntry.replaceAll("\n", "\r\n") });
    utimesSync(join(cwd, "b.pack.json"), 2_000_000_000, 2_000_000_000);
    expect(await lint(cwd, ["--since", "HEAD"])).toEqual({ code: 1, bad: ["a.pack.json"], stderr: "" });
  });

  it("works with SHA-256", async () => {
    const repository = new Repository({});
    rmSync(join(repository.cwd, ".git"), { recursive: true });
    repository.git("init", "--quiet", "--object-format=sha256");
    repository.write({ "a.pack.json": badEntry, "b.pack.json": clean });
    repository.commit("begin");
    repository.write({ "b.pack.json": badEntry });
    const expected = { code: 1, bad: ["b.pack.json"], stderr: "" };
    expect(await lint(repository.cwd, ["--since", "HEAD"])).toEqual(expected);
    repository.git("add", "--all");
    expect(await lint(repository.cwd, ["--staged"])).toEqual(expected);
  });

  it.each([
    ["nowhere", 'git does not know the commit "nowhere".'],
    ["", '"--since" must not be empty.'],
    ["--output=x", 'git does not know the commit "--output=x".'],
    ["main..main", 'git does not know the commit "main..main".'],
    ["lone", 'git knows no common ancestor of "lone" and the current commit.'],
  ])("%j is exit 2", async (ref, sentence) => {
    const repository = new Repository({ "a.pack.json": badEntry });
    const tree = repository.git("write-tree").trim();
    repository.git("branch", "lone", repository.git("commit-tree", "-m", "alone", tree).trim());
    expect(await lint(repository.cwd, [`--since=${ref}`])).toEqual({
      code: 2,
      bad: [],
      stderr: `promptpack: ${sentence}\n`,
    });
  });
});

describe.runIf(isFull)("lint --since in a clone", () => {
  const deeper = 'The clone is shallow: fetch more of its history, in GitHub Actions with "fetch-depth: 0".';

  /** As a CI job has it: a branch that left main, checked out as a commit without a name. */
  function clonedWith(...flags: readonly string[]) {
    const repository = new Repository({ "a.pack.json": clean });
    repository.git("checkout", "--quiet", "-b", "topic");
    repository.write({ "a.pack.json": badEntry });
    repository.commit("topic");
    const from = pathToFileURL(repository.cwd).href;
    repository.git("clone", "--quiet", ...flags, "--branch=topic", from, "clone");
    const git = (...args: readonly string[]) => repository.git("-C", "clone", ...args);
    git("checkout", "--quiet", "--detach");
    return { git, cwd: join(repository.cwd, "clone") };
  }

  it("says where the branch is, if only the remote has it", async () => {
    const { cwd } = clonedWith();
    const since = async (ref: string) => (await lint(cwd, ["--since", ref])).stderr;
    expect(await since("main")).toBe(
      'promptpack: git does not know the commit "main". Did you mean "origin/main"?\n',
    );
    expect(await since("man")).toBe('promptpack: git does not know the commit "man".\n');
    expect((await lint(cwd, ["--since", "origin/main"])).bad).toEqual(["a.pack.json"]);
  });

  it("says that the clone is shallow, until it has the commits", async () => {
    const { git, cwd } = clonedWith("--depth=1");
    const since = () => lint(cwd, ["--since", "origin/main"]);
    const says = (what: string) => ({ code: 2, bad: [], stderr: `promptpack: ${what} ${deeper}\n` });
    expect(await since()).toEqual(says('git does not know the commit "origin/main".'));
    git("fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main");
    expect(await since()).toEqual(
      says('git knows no common ancestor of "origin/main" and the current commit.'),
    );
    git("fetch", "--quiet", "--unshallow");
    expect(await since()).toEqual({ code: 1, bad: ["a.pack.json"], stderr: "" });
  });
});

describe("git", () => {
  it.each([["--staged"], ["--since=main"]])("is needed for %s", async (flag) => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await lint(cwd, [flag], { PATH: cwd })).toEqual({
      code: 2,
      bad: [],
      stderr: "promptpack: git is not installed, or not in the PATH.\n",
    });
    const outside = {
      code: 2,
      bad: [],
      stderr: "promptpack: The working folder is not in a git repository.\n",
    };
    expect(await lint(cwd, [flag])).toEqual(outside);
    rmSync(join(cwd, ".git"), { recursive: true });
    expect(await lint(cwd, [flag])).toEqual(outside);
  });

  it("has no working tree in a folder of git itself", async () => {
    const { cwd } = new Repository({ "a.pack.json": clean });
    const stderr = "promptpack: The working folder is not in a git working tree.\n";
    expect(await lint(join(cwd, ".git/info"), ["--staged"])).toEqual({ code: 2, bad: [], stderr });
  });

  it.each([
    [["--staged", "--since", "main"], '"--staged" and "--since" cannot be used together: choose one.'],
    [
      ["--staged", "--fix"],
      '"--staged" changes no files: it cannot be used with "--fix" or "--update-baseline".',
    ],
    [
      ["--staged", "--update-baseline", "--baseline", "b"],
      '"--staged" changes no files: it cannot be used with "--fix" or "--update-baseline".',
    ],
    [["--since", "main", "--watch"], '"--watch" and "--since" cannot be used together: choose one.'],
    [["--staged", "-"], "Standard input is not in a repository: name files or folders."],
  ])("%j is refused", async (args, sentence) => {
    const stderr = `promptpack: ${sentence}\n`;
    expect(await lint(new Repository({}).cwd, args)).toEqual({ code: 2, bad: [], stderr });
  });
});
