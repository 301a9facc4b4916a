import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean } from "../cli/packs.js";

/** A folder with links to files elsewhere. */
function folderWithLinks(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>>) {
  const cwd = folderOf(files);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(cwd, name));
  return cwd;
}

const lint = async (cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await promptpack(["lint", "-f", "compact", ...args], { cwd });
  const files = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(":")[0]);
  return { code, files, stderr };
};

describe("a link out of the repository", () => {
  /** A path elsewhere to a file of this text. */
  const outside = (text: string) => join(folderOf({ "file.pack.json": text }), "file.pack.json");

  it("is not followed by a search or a glob, only by name", async () => {
    const cwd = folderWithLinks(
      { "a.pack.json": clean, "sub/b.pack.json": badEntry },
      { "link.pack.json": outside(badEntry), "environ.pack.yaml": "/proc/self/environ" },
    );
    expect(await lint(cwd)).toEqual({ code: 1, files: ["sub/b.pack.json"], stderr: "" });
    expect(await lint(cwd, "*.pack.*")).toEqual({ code: 0, files: [], stderr: "" });
    expect(await lint(cwd, "link.pack.json")).toEqual({ code: 1, files: ["link.pack.json"], stderr: "" });
  });

  it("leads no fix out", async () => {
    const misspelt = folderOf({ "c.pack.json": badEntry });
    const cwd = folderWithLinks(
      { "a.pack.json": badEntry },
      { "c.pack.json": join(misspelt, "c.pack.json") },
    );
    await lint(cwd, "--fix", "--unsafe-fixes");
    expect(readFileSync(join(cwd, "a.pack.json"), "utf8")).not.toBe(badEntry);
    expect(readFileSync(join(misspelt, "c.pack.json"), "utf8")).toBe(badEntry);
  });

  it("is no config unless it is named, and none of its lines is shown", async () => {
    const cwd = folderWithLinks(
      { "a.pack.json": clean },
      { "promptpack.config.yaml": outside('{ "secret": 1 }') },
    );
    expect(await lint(cwd)).toEqual({
      code: 2,
      files: [],
      stderr:
        'promptpack: The config file "promptpack.config.yaml" is a link out of the repository: name it with "--config" to use it.\n',
    });
    expect((await lint(cwd, "--config", "promptpack.config.yaml")).stderr).toContain('no key "secret"');
  });

  it("is no ignore file", async () => {
    const cwd = folderWithLinks({ "a.pack.json": badEntry }, { ".promptpackignore": outside("*.json\n") });
    expect((await lint(cwd)).files).toEqual(["a.pack.json"]);
  });
});

it("a link within the repository is followed from a folder of it", async () => {
  const cwd = folderWithLinks(
    {
      "real/a.pack.json": badEntry,
      "sub/c.pack.json": clean,
      "shared.yaml": "rules: { unknown-entry: off }\n",
    },
    { "sub/b.pack.json": "../real/a.pack.json", "sub/promptpack.config.yaml": "../shared.yaml" },
  );
  expect((await lint(cwd, "sub")).files).toEqual([]);
  writeFileSync(join(cwd, "shared.yaml"), "");
  expect((await lint(cwd, "sub")).files).toEqual(["sub/b.pack.json"]);
});

describe("what is written", () => {
  const why = "leads out of its folder and repository through a link, so it was not written";
  const broken = clean.replace('"terminal": true', '"on_event": {}');
  const fixed = broken.replace('"on_event": {}', '"on_event": {},\n        "terminal": true');

  /** The folder `work` and others, none of which is in a repository; `link` leads from `work`. */
  function withoutRepository(target: string): { readonly top: string; readonly cwd: string } {
    const top = folderOf({ "x.pack.json": broken, "work/sub/y.pack.json": broken });
    execFileSync("rmdir", [join(top, ".git")]);
    const cwd = join(top, "work");
    symlinkSync(target, join(cwd, "link.pack.json"));
    return { top, cwd };
  }

  it("is no pack that a link outside of the repository names", async () => {
    const outside = folderOf({ "x.pack.json": broken });
    const cwd = folderWithLinks({ "a.pack.json": clean }, { "link.pack.json": join(outside, "x.pack.json") });
    const { code, stderr } = await lint(cwd, "--fix", "link.pack.json");
    expect({ code, stderr }).toEqual({ code: 2, stderr: `promptpack: "link.pack.json" ${why}.\n` });
    expect(readFileSync(join(outside, "x.pack.json"), "utf8")).toBe(broken);
    expect([readdirSync(outside), readdirSync(cwd)]).toEqual([
      [".git", "x.pack.json"],
      [".git", "a.pack.json", "link.pack.json"],
    ]);
  });

  it("is a pack that a link within the repository names", async () => {
    const cwd = folderWithLinks({ "real/x.pack.json": broken, "work/a.pack.json": clean }, {});
    symlinkSync("../real/x.pack.json", join(cwd, "work/link.pack.json"));
    expect(await lint(join(cwd, "work"), "--fix", "link.pack.json")).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "real/x.pack.json"), "utf8")).toBe(fixed);
  });

  it("is, without a repository, a pack in the folder of the link", async () => {
    const inner = withoutRepository("sub/y.pack.json");
    expect(await lint(inner.cwd, "--fix", "link.pack.json")).toMatchObject({ code: 0 });
    expect(readFileSync(join(inner.cwd, "sub/y.pack.json"), "utf8")).toBe(fixed);
    const { top, cwd } = withoutRepository("../x.pack.json");
    const { code, stderr } = await lint(cwd, "--fix", "link.pack.json");
    expect({ code, stderr }).toEqual({ code: 2, stderr: `promptpack: "link.pack.json" ${why}.\n` });
    expect(readFileSync(join(top, "x.pack.json"), "utf8")).toBe(broken);
  });

  it("is, without a repository, any pack in the folder that is searched", async () => {
    const { top, cwd } = withoutRepository("../x.pack.json");
    expect(await lint(top, "--fix")).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "link.pack.json"), "utf8")).toBe(fixed);
  });

  it("is a pack below a folder that is named by a link", async () => {
    const outside = folderOf({ "packs/x.pack.json": broken });
    const cwd = folderWithLinks({}, { folder: join(outside, "packs") });
    expect(await lint(cwd, "--fix", "folder/x.pack.json")).toMatchObject({ code: 0 });
    expect(readFileSync(join(outside, "packs/x.pack.json"), "utf8")).toBe(fixed);
  });

  it("is a baseline or a run only within the repository, and a report wherever the user says", async () => {
    const outside = folderOf({ "out.txt": "old" });
    const cwd = folderWithLinks(
      { "a.pack.json": badEntry },
      {
        "base.json": join(outside, "base.json"),
        "run.json": join(outside, "run.json"),
        out: join(outside, "out.txt"),
      },
    );
    const update = ["--baseline", "base.json", "--update-baseline"];
    expect(await lint(cwd, ...update)).toEqual({
      code: 2,
      files: [],
      stderr: `promptpack: The baseline "base.json" ${why}.\n`,
    });
    writeFileSync(join(cwd, "b.json"), clean);
    const step = ["step", "b.json", "--run", "run.json", "--start"];
    expect(await promptpack(step, { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: `promptpack: "run.json" ${why}.\n`,
    });
    expect(readdirSync(outside)).toEqual([".git", "out.txt"]);
    expect((await lint(cwd, "-f", "json=out")).code).toBe(1);
    expect(readFileSync(join(outside, "out.txt"), "utf8")).toContain("unknown-entry");
  });

  it.each([".github", ".github/workflows"])("is no workflow of init where %s is a link out", async (link) => {
    const outside = folderOf({});
    const cwd = folderOf({ "package-lock.json": "{}" });
    if (link !== ".github") mkdirSync(join(cwd, ".github"));
    symlinkSync(outside, join(cwd, link));
    const { code, stderr } = await promptpack(["init"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`promptpack: ".github/workflows/promptpack-lint.yml" ${why}.\n`);
    expect(readdirSync(outside)).toEqual([".git"]);
  });

  it("is the summary of a step if that is a file, and nothing else is waited for", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(cwd, "pipe") };
    const { code, stderr } = await promptpack(["lint", "-f", "compact"], { cwd, env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `promptpack: "${cwd}/pipe" is not a regular file.\n`,
    });
  });
});
