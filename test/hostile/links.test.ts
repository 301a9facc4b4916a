import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
