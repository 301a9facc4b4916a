import type * as Fs from "node:fs";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type * as Path from "node:path";
import { dirname } from "node:path";
import process from "node:process";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { promptpack } from "./harness.js";
import { badEntry, clean } from "./packs.js";

const disk = vi.hoisted(() => ({ root: "" }));

vi.mock("node:path", async (original) => {
  const { win32 } = await original<typeof Path>();
  return { ...win32, default: win32 };
});

vi.mock("node:fs", async (original) => {
  const { windowsDisk } = await import("./windows-disk.js");
  const made = windowsDisk(await original<typeof Fs>(), await vi.importActual<typeof Path>("node:path"));
  disk.root = made.root;
  return made.fs;
});

const cwd = "C:\\repo";
const unborn = 'The workflow starts at "helo", which is not a state. Did you mean "hello"? [unknown-entry]';

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

async function bad(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await promptpack(["lint", "-f", "compact", ...args], { cwd });
  return [...stdout.split("\n"), ...stderr.split("\n")]
    .filter((line) => line !== "")
    .map((line) => line.replace(`:25:14: error: ${unborn}`, ""));
}

beforeEach(() => {
  for (const drive of ["C", "D"]) rmSync(`${disk.root}/${drive}`, { recursive: true, force: true });
  mkdirSync("C:\\repo\\.git", { recursive: true });
});

afterAll(() => rmSync(disk.root, { recursive: true }));

describe.runIf(process.platform !== "win32")("with the paths of Windows", () => {
  it("finds packs in folders and by globs, which its shells do not expand", async () => {
    write({
      "C:\\repo\\packs\\a.pack.json": badEntry,
      "C:\\repo\\packs\\deep\\b.pack.json": badEntry,
      "C:\\repo\\packs\\deep\\c.json": badEntry,
      "D:\\d.pack.json": badEntry,
    });
    const stray =
      'promptpack: "packs/deep/c.json" looks like a pack, but folders are searched by file name: ' +
      'pass such files by name, or rename them to end in ".pack.json" or ".pack.yaml".';
    const found = ["packs/a.pack.json", "packs/deep/b.pack.json", stray];
    expect(await bad()).toEqual(found);
    expect(await bad("packs")).toEqual(found);
    expect(await bad(".\\packs\\")).toEqual(found);
    expect(await bad("packs\\*.json")).toEqual(["packs/a.pack.json"]);
    expect(await bad("packs/*.json")).toEqual(["packs/a.pack.json"]);
    expect(await bad("C:\\repo\\**\\c.json")).toEqual(["packs/deep/c.json"]);
    expect(await bad("packs\\deep\\b.pack.json", "c:\\repo\\packs\\deep\\b.pack.json")).toEqual([
      "packs/deep/b.pack.json",
    ]);
    expect(await bad("D:\\")).toEqual(["D:/d.pack.json"]);
    expect(await bad("packs\\e.json")).toEqual(['promptpack: "packs\\e.json" does not exist.']);
  });

  it("heeds configs and ignore files, whatever ends their lines", async () => {
    write({
      "C:\\repo\\one\\a.pack.json": badEntry,
      "C:\\repo\\two\\a.pack.json": badEntry,
      "C:\\repo\\three\\a.pack.json": badEntry,
      "C:\\repo\\four\\a.pack.json": badEntry,
      "C:\\repo\\.gitignore": "/one/\r\n",
      "C:\\repo\\.promptpackignore": "two/*.json\r\n",
      "C:\\repo\\promptpack.config.yaml":
        "overrides:\r\n  - files: three/*.json\r\n    rules: { unknown-entry: off }\r\n",
    });
    expect(await bad()).toEqual(["four/a.pack.json"]);
  });

  it("writes names with slashes into reports, and those where a path says", async () => {
    write({ "C:\\repo\\packs\\a.pack.json": badEntry });
    await bad("-f", "json=out\\r.json", "-f", "sarif=out\\r.sarif", "packs");
    expect(readFileSync("C:\\repo\\out\\r.json", "utf8")).toContain('"file": "packs/a.pack.json"');
    expect(readFileSync("C:\\repo\\out\\r.sarif", "utf8")).toContain('"uri": "packs/a.pack.json"');
  });

  it("remembers findings on another drive, too", async () => {
    write({ "C:\\repo\\a.pack.json": clean, "D:\\b.pack.json": badEntry });
    await bad("--baseline", "base.json", "--update-baseline", "D:\\b.pack.json");
    expect(readFileSync("C:\\repo\\base.json", "utf8")).toContain('"file": "D:/b.pack.json"');
    expect(await bad("--baseline", "base.json", "D:\\b.pack.json")).toEqual([]);
    expect(await bad("--baseline", "base.json", "a.pack.json")).toEqual([]);
  });

  it("fixes a file and keeps the ends of its lines", async () => {
    const path = "C:\\repo\\a.pack.json";
    write({ [path]: badEntry.replaceAll("\n", "\r\n") });
    expect(await bad("--fix", "--unsafe-fixes")).toEqual(["promptpack: Fixed 1 finding in 1 file."]);
    expect(readFileSync(path, "utf8")).toBe(clean.replaceAll("\n", "\r\n"));
  });
});
