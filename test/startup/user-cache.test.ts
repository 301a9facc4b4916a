import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { isFull } from "../runs.js";

/** Flags for which the build has kept nothing. */
const flags = ["--stack-size=900"];

interface Settings {
  readonly home: string;
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
}

function lint({ home, program = "bin/promptpack.js", env = {}, nodeFlags = flags }: Settings): string {
  const args = [...nodeFlags, program, "lint", "--no-config", resolve("examples/codegen.pack.yaml")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: 60_000,
    env: { XDG_CACHE_HOME: home, HOME: home, ...env },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const kept = (home: string) => readdirSync(join(home, "promptpack", "compiled"));

const isPosix = process.platform !== "win32";

describe.runIf(isPosix && isFull)("where the compiled form of the build does not fit", () => {
  it("keeps one that fits, for the user alone, and uses it from then on", () => {
    const home = folderOf({});
    const first = lint({ home });
    expect(kept(home)).toHaveLength(1);
    expect(statSync(join(home, "promptpack")).mode & 0o777).toBe(0o700);
    const [name = ""] = kept(home);
    const file = join(home, "promptpack", "compiled", name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { mtimeMs } = statSync(file);
    expect(lint({ home })).toBe(first);
    // It would be written again if V8 had refused it.
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  it("replaces one that V8 refuses", () => {
    const home = folderOf({});
    const first = lint({ home });
    const [name = ""] = kept(home);
    const file = join(home, "promptpack", "compiled", name);
    writeFileSync(file, "not compiled at all");
    expect(lint({ home })).toBe(first);
    expect(statSync(file).size).toBeGreaterThan(100_000);
  });

  it("keeps none of another build", () => {
    const home = folderOf({});
    lint({ home });
    const other = folderOf({});
    for (const part of ["bin", "dist", "package.json"]) cpSync(part, join(other, part), { recursive: true });
    const loader = join(other, "dist", "load.cjs");
    writeFileSync(loader, spawnSync("sed", ['s/^const build = .*/const build = "other";/', loader]).stdout);
    lint({ home, program: join(other, "bin", "promptpack.js") });
    expect(kept(home)).toHaveLength(2);
  });

  it("keeps at most four", () => {
    const home = folderOf({});
    const folder = join(home, "promptpack", "compiled");
    mkdirSync(folder, { recursive: true });
    chmodSync(join(home, "promptpack"), 0o700);
    for (const name of ["a", "b", "c", "d", "e"]) writeFileSync(join(folder, name), "");
    lint({ home });
    expect(kept(home)).toHaveLength(4);
  });

  it.each([
    ["turned off", () => undefined, { PROMPTPACK_NO_CACHE: "1" }],
    [
      "in a folder that others can write to",
      (home: string) => {
        mkdirSync(join(home, "promptpack"));
        chmodSync(join(home, "promptpack"), 0o770);
      },
    ],
    ["below a folder that others can write to", (home: string) => chmodSync(home, 0o777)],
    [
      "through a link",
      (home: string) => {
        mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
        symlinkSync(join(home, "elsewhere"), join(home, "promptpack"));
      },
    ],
    ["where there is a file", (home: string) => writeFileSync(join(home, "promptpack"), "")],
  ] as readonly [string, (home: string) => void, Record<string, string>?][])(
    "keeps nothing %s",
    (_, prepare, env = {}) => {
      const home = folderOf({});
      prepare(home);
      lint({ home, env });
      expect(
        readdirSync(home, { recursive: true }).filter((name) => String(name).includes("compiled")),
      ).toEqual([]);
      chmodSync(home, 0o755);
    },
  );

  it("keeps nothing where nothing can be written", () => {
    const home = folderOf({});
    rmSync(home, { recursive: true });
    expect(lint({ home: "/proc/no-such-place" })).toContain("codegen.pack.yaml");
  });
});

it.runIf(isPosix && isFull).each([
  ["refuses", (file: string) => writeFileSync(file, "not compiled at all")],
  ["does not find", (file: string) => rmSync(file)],
])("keeps one where Node %s that of the build, without flags", (_, spoil) => {
  const [home, copy] = [folderOf({}), folderOf({})];
  for (const part of ["bin", "dist", "package.json"]) cpSync(part, join(copy, part), { recursive: true });
  for (const name of readdirSync(join(copy, "dist")))
    if (/^program\.cjs\./.test(name)) spoil(join(copy, "dist", name));
  const program = join(copy, "bin", "promptpack.js");
  const first = lint({ home, program, nodeFlags: [] });
  const times = () => kept(home).map((name) => statSync(join(home, "promptpack", "compiled", name)).mtimeMs);
  const before = times();
  expect(before).toHaveLength(2);
  expect(lint({ home, program, nodeFlags: [] })).toBe(first);
  // They would be written again if the next run had not found them.
  expect(times()).toEqual(before);
});

it("writes nothing where the form of the build fits", () => {
  const home = folderOf({});
  const args = ["bin/promptpack.js", "lint", "--no-config", "examples/codegen.pack.yaml"];
  const { status } = spawnSync(process.execPath, args, { env: { XDG_CACHE_HOME: home, HOME: home } });
  expect(status).toBe(0);
  expect(readdirSync(home)).toEqual([".git"]);
});
