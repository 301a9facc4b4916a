import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { configNames } from "../../src/cli/files/setting-files.js";
import { discover } from "../../src/cli/files/discover.js";
import { folderOf } from "./harness.js";

function found(cwd: string, ...paths: string[]): readonly string[] {
  const { targets, problems } = discover(paths, cwd);
  return [...targets.map(({ file }) => file), ...problems.map((trouble) => `! ${trouble}`)];
}

describe("folders", () => {
  it("holds exactly the files that are named like packs, in the order of their paths", () => {
    const names = ["pack", "promptpack", "a.pack", "a.promptpack"].flatMap((stem) =>
      ["json", "yaml", "yml"].map((extension) => `${stem}.${extension}`),
    );
    const others = ["package.json", "apack.json", "pack.toml", "pack.json.bak", "promptpack.config.yaml"];
    const cwd = folderOf(
      Object.fromEntries([...names, ...others, "sub/deep/pack.json"].map((name) => [name, ""])),
    );
    expect(found(cwd)).toEqual([...names, "sub/deep/pack.json"].sort());
  });

  it("leaves out node_modules, .git and what git ignores, but not other hidden folders", () => {
    const cwd = folderOf({
      "node_modules/a/pack.json": "",
      ".git/pack.json": "",
      ".github/pack.json": "",
      ".gitignore": "dist/\n*.old.pack.json\n/only-here.pack.json\n",
      "dist/pack.json": "",
      "x.old.pack.json": "",
      "only-here.pack.json": "",
      "sub/only-here.pack.json": "",
      "sub/.gitignore": "!x.old.pack.json\nsecret.pack.json\n",
      "sub/x.old.pack.json": "",
      "sub/secret.pack.json": "",
      "secret.pack.json": "",
    });
    const expected = [
      ".github/pack.json",
      "secret.pack.json",
      "sub/only-here.pack.json",
      "sub/x.old.pack.json",
    ];
    expect(found(cwd)).toEqual(expected);
    expect(found(join(cwd, "sub"))).toEqual(["only-here.pack.json", "x.old.pack.json"]);
  });

  it("lints a named file that git ignores", () => {
    const cwd = folderOf({ ".gitignore": "*.json\n", "a.pack.json": "" });
    expect(found(cwd, "a.pack.json")).toEqual(["a.pack.json"]);
  });

  const compiled = {
    ".gitignore": "dist/\n*.old.pack.json\n",
    "dist/.gitignore": "secret.pack.json\n",
    "dist/a.pack.json": "",
    "dist/x/b.old.pack.json": "",
    "dist/x/secret.pack.json": "",
  };

  it("searches an ignored folder that is named, or is the working folder, heeding the lists in it", () => {
    const cwd = folderOf(compiled);
    expect(found(cwd, "dist")).toEqual(["dist/a.pack.json", "dist/x/b.old.pack.json"]);
    expect(found(cwd, "dist/x")).toEqual(["dist/x/b.old.pack.json", "dist/x/secret.pack.json"]);
    expect(found(join(cwd, "dist"))).toEqual(["a.pack.json", "x/b.old.pack.json"]);
    expect(found(cwd)).toEqual([
      "! No pack was found below the working folder (files that git ignores are skipped).",
    ]);
  });

  it("searches the ignored folder that a glob begins with", () => {
    const cwd = folderOf(compiled);
    expect(found(cwd, "dist/*.json")).toEqual(["dist/a.pack.json"]);
    expect(found(cwd, "dist/*")).toEqual(["dist/a.pack.json", "dist/x/b.old.pack.json"]);
    expect(found(cwd, "d*/*.json")).toEqual(['! No file matches "d*/*.json".']);
  });

  it("says when there is no pack", () => {
    const cwd = folderOf({ "sub/a.txt": "" });
    expect(found(cwd)).toEqual(["! No pack was found below the working folder."]);
    expect(found(cwd, "sub")).toEqual(['! No pack was found in "sub".']);
  });

  it("names a file that only is not called like a pack", () => {
    const json = '{ "$schema": "", "template_engine": {}, "prompts": {} }';
    const schema = '{ "properties": { "template_engine": {}, "prompts": {} } }';
    const other = { "package.json": "{}", "a.schema.json": schema, "broken.json": "{" };
    const cwd = folderOf({ ...other, "packs/support.json": `\ufeff${json}` });
    const advice =
      '"packs/support.json" looks like one: pass it by name, or rename it to "support.pack.json".';
    expect(found(cwd)).toEqual([`! No pack was found below the working folder. ${advice}`]);
    expect(found(cwd, "packs")).toEqual([`! No pack was found in "packs". ${advice}`]);
    const yaml = "id: a\nprompts: {}\ntemplate_engine: {}\n";
    expect(found(folderOf({ ...other, "a.yml": yaml }))).toEqual([
      '! No pack was found below the working folder. "a.yml" looks like one: pass it by name, or rename it to "a.pack.yml".',
    ]);
    expect(found(folderOf(other))).toEqual(["! No pack was found below the working folder."]);
  });

  it("names none that would be skipped if it were named", () => {
    const yaml = "id: a\nprompts: {}\ntemplate_engine: {}\n";
    const files = { "a.yml": yaml, "sub/b.yml": yaml };
    expect(found(folderOf({ ...files, ".promptpackignore": "*.yml\n" }))).toEqual([
      "! No pack was found below the working folder.",
    ]);
    expect(found(folderOf({ ...files, ".promptpackignore": "a.yml\n" }))).toEqual([
      '! No pack was found below the working folder. "sub/b.yml" looks like one: pass it by name, or rename it to "b.pack.yml".',
    ]);
  });

  it("says that sources belong to a head, if there is nothing else", () => {
    const source = "apiVersion: promptkit.altairalabs.ai/v1alpha1\nkind: PromptConfig\nspec: {}\n";
    const json = '{\n  "apiVersion": "promptkit.altairalabs.ai/v1alpha1",\n  "kind": "PromptConfig"\n}';
    const nothing = "! No pack was found below the working folder.";
    const advice = "is a source that no head (kind: Arena) here lists: pass it by name to check it alone.";
    const sources = { "prompts/b.yaml": source, "prompts/a.prompt.yaml": source };
    expect(found(folderOf(sources))).toEqual([`${nothing} "prompts/a.prompt.yaml" ${advice}`]);
    expect(found(folderOf({ "a.json": json }))).toEqual([`${nothing} "a.json" ${advice}`]);
    const yaml = "id: a\nprompts: {}\ntemplate_engine: {}\n";
    expect(found(folderOf({ ...sources, "z.yml": yaml }))).toEqual([
      `${nothing} "z.yml" looks like one: pass it by name, or rename it to "z.pack.yml".`,
    ]);
    expect(found(folderOf({ "notes.yaml": "kind: PromptConfig\n" }))).toEqual([nothing]);
    expect(found(folderOf({ ...sources, "a.pack.json": "" }))).toEqual(["a.pack.json"]);
  });

  it("shows paths relative to the working folder", () => {
    const cwd = folderOf({ "a/pack.json": "", "b/pack.json": "" });
    expect(found(join(cwd, "a"), "../b", join(cwd, "a", "pack.json"))).toEqual([
      "../b/pack.json",
      "pack.json",
    ]);
  });
});

describe("globs", () => {
  it("matches files of any name, and searches folders that match", () => {
    const cwd = folderOf({
      "a/x.json": "",
      "a/y.yaml": "",
      "b/c/x.json": "",
      "b/pack.yaml": "",
      "x.json": "",
    });
    expect(found(cwd, "**/*.json")).toEqual(["a/x.json", "b/c/x.json", "x.json"]);
    expect(found(cwd, "*/*.{json,yaml}")).toEqual(["a/x.json", "a/y.yaml", "b/pack.yaml"]);
    expect(found(cwd, "b*")).toEqual(["b/pack.yaml"]);
    expect(found(cwd, `${cwd}/a/*.json`)).toEqual(["a/x.json"]);
    expect(found(join(cwd, "a"), "../b/*.yaml")).toEqual(["../b/pack.yaml"]);
  });

  it("prefers a file that is called like the glob", () => {
    const cwd = folderOf({ "[a].json": "", "a.json": "" });
    expect(found(cwd, "[a].json")).toEqual(["[a].json"]);
  });

  it("leaves out the tool's own configs, unless they are named", () => {
    const cwd = folderOf(Object.fromEntries([...configNames, "x.yaml"].map((name) => [name, ""])));
    expect(found(cwd, "*.{json,yaml,yml}", ".*", "**/promptpack.*")).toEqual([
      "x.yaml",
      '! No file matches ".*".',
      '! No file matches "**/promptpack.*".',
    ]);
    expect(found(cwd, "promptpack.config.yaml", ".promptpackrc", "*.yaml")).toEqual([
      ".promptpackrc",
      "promptpack.config.yaml",
      "x.yaml",
    ]);
  });

  it("names a glob that matches nothing", () => {
    expect(found(folderOf({}), "none/*.json", "*.yaml")).toEqual([
      '! No file matches "none/*.json".',
      '! No file matches "*.yaml".',
    ]);
  });
});

describe("overlapping paths", () => {
  it("gives each file once, under its first name", () => {
    const cwd = folderOf({ "b.pack.json": "" });
    symlinkSync(join(cwd, "b.pack.json"), join(cwd, "c.pack.json"));
    expect(found(cwd, ".", "b.pack.json", "*.json", "./b.pack.json", join(cwd, "b.pack.json"))).toEqual([
      "b.pack.json",
    ]);
  });

  it("gives a file under its own name rather than that of a link", () => {
    const cwd = folderOf({ "b.pack.json": "", "c.pack.json": "" });
    symlinkSync("c.pack.json", join(cwd, "a.pack.json"));
    expect(found(cwd)).toEqual(["b.pack.json", "c.pack.json"]);
    expect(found(cwd, "a.pack.json")).toEqual(["a.pack.json"]);
    const { targets } = discover([".", "a.pack.json"], cwd);
    expect(targets.map(({ file, named }) => [file, named])).toEqual([
      ["b.pack.json", false],
      ["c.pack.json", true],
    ]);
  });

  it("takes a file as named when any path names it", () => {
    const cwd = folderOf({ "b.pack.json": "" });
    expect(discover([".", "b.pack.json"], cwd).targets.map(({ named }) => named)).toEqual([true]);
  });
});

describe("what is no ordinary file", () => {
  it("survives links that go round", () => {
    const cwd = folderOf({ "a/pack.json": "" });
    symlinkSync("..", join(cwd, "a", "up"));
    symlinkSync("self.json", join(cwd, "self.json"));
    expect(found(cwd, "a", "self.json")).toEqual([
      "a/pack.json",
      '! "self.json" cannot be opened: too many symbolic links encountered.',
    ]);
  });

  it("names a link to nothing and a file that is not there", () => {
    const cwd = folderOf({ "support.pack.json": "" });
    symlinkSync("gone.json", join(cwd, "link.json"));
    expect(found(cwd, "link.json", "suport.pack.json", "x/y.json")).toEqual([
      '! "link.json" is a link to something that does not exist.',
      '! "suport.pack.json" does not exist. Did you mean "support.pack.json"?',
      '! "x/y.json" does not exist.',
    ]);
  });

  it("passes over the mark of an editor, unless it is named", () => {
    const cwd = folderOf({ "a.pack.json": "", ".#b.pack.json": "" });
    symlinkSync("me@host.1:2", join(cwd, ".#a.pack.json"));
    expect(found(cwd)).toEqual([".#b.pack.json", "a.pack.json"]);
    expect(found(cwd, "*.json")).toEqual(["a.pack.json"]);
    expect(found(cwd, ".#a.pack.json")).toEqual([
      '! ".#a.pack.json" is a link to something that does not exist.',
    ]);
  });

  it("does not follow links to folders when it searches", () => {
    const cwd = folderOf({ "a/pack.json": "" });
    mkdirSync(join(cwd, "b"));
    symlinkSync("../a", join(cwd, "b", "x.pack.json"));
    expect(found(cwd, "b")).toEqual(['! No pack was found in "b".']);
    expect(found(cwd, "b/x.pack.json")).toEqual(["b/x.pack.json/pack.json"]);
  });

  it.runIf(process.platform !== "win32")("passes on a FIFO, which the reader refuses", () => {
    const cwd = folderOf({});
    execFileSync("mkfifo", [join(cwd, "a.pack.json")]);
    expect(found(cwd)).toEqual(["a.pack.json"]);
  });

  it.skipIf(process.getuid?.() === 0)("names a folder that may not be read, and goes on", () => {
    const cwd = folderOf({ "a/pack.json": "", "b/pack.json": "" });
    chmodSync(join(cwd, "a"), 0);
    expect(found(cwd)).toEqual(["b/pack.json", '! "a" cannot be opened: permission denied.']);
    chmodSync(join(cwd, "a"), 0o700);
  });

  it("suggests a file by its name, not by its ending", () => {
    const cwd = folderOf({ "support.pack.yaml": "", "good.pack.yaml": "" });
    const trouble = (name: string) => discover([name], cwd).problems[0];
    expect(trouble("suport.pack.yaml")).toBe(
      '"suport.pack.yaml" does not exist. Did you mean "support.pack.yaml"?',
    );
    expect(trouble("support.pack.yml")).toBe(
      '"support.pack.yml" does not exist. Did you mean "support.pack.yaml"?',
    );
    expect(trouble("nope.pack.yaml")).toBe('"nope.pack.yaml" does not exist.');
  });

  it("knows standard input", () => {
    const { targets, problems } = discover(["-"], folderOf({}));
    expect({ targets, troubles: problems }).toEqual({ targets: [], troubles: [] });
  });

  it("heeds the ignore file of the working folder where there is no repository", () => {
    const cwd = folderOf({ ".gitignore": "b.pack.json\n", "a.pack.json": "", "sub/b.pack.json": "" });
    rmSync(join(cwd, ".git"), { recursive: true });
    expect(found(cwd)).toEqual(["a.pack.json"]);
  });
});
