import type * as Fs from "node:fs";
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isFull } from "../runs.js";
import { folderOf, promptpack } from "./harness.js";
import { clean } from "./packs.js";

const { platform } = process;
const swap = vi.hoisted(() => ({ beforeRename: new Map<number, () => void>(), renames: 0, isOn: false }));

/** Lets something happen before the nth rename of the program. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    renameSync: (from: string, to: string) => {
      if (swap.isOn) {
        swap.isOn = false;
        swap.beforeRename.get(++swap.renames)?.();
        swap.isOn = true;
      }
      fs.renameSync(from, to);
    },
  };
});

beforeEach(() => {
  swap.beforeRename.clear();
  swap.renames = 0;
  swap.isOn = false;
});
afterEach(() => {
  swap.isOn = false;
  Object.defineProperty(process, "platform", { value: platform });
});

const broken = clean.replace('"terminal": true', '"on_event": {}');
const names = ["a.pack.json", "b.pack.json"];
const second = "top/packs/b.pack.json";
const packsIn = (folder: string) => Object.fromEntries(names.map((name) => [join(folder, name), broken]));

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);

/** A repository, and a folder elsewhere that looks like its folder `top`. */
function twoFolders() {
  const outside = folderOf({ ...packsIn("packs"), ...packsIn(".") });
  return { cwd: folderOf(packsIn("top/packs")), outside, before: filesIn(outside) };
}

/** Puts a link in the place of something. */
function swapFor(target: string, place: string): void {
  renameSync(place, `${place}.away`);
  symlinkSync(target, place);
}

async function fix(cwd: string, ...args: readonly string[]) {
  swap.isOn = true;
  const ran = await promptpack(["lint", "--fix", "-f", "compact", ...args], { cwd });
  swap.isOn = false;
  return ran;
}

type Swap = (cwd: string, outside: string) => void;
const swaps: Readonly<Record<string, Swap>> = {
  "its folder": (cwd, outside) => swapFor(join(outside, "packs"), join(cwd, "top/packs")),
  "its folder, by a relative path": (cwd, outside) =>
    swapFor(join("../..", basename(outside)), join(cwd, "top/packs")),
  "its folder, by way of another link": (cwd, outside) => {
    symlinkSync(outside, join(cwd, "hop"));
    swapFor("../hop/packs", join(cwd, "top/packs"));
  },
  "its folder, which has been moved": (cwd) => swapFor("packs.away", join(cwd, "top/packs")),
  "a folder above": (cwd, outside) => swapFor(outside, join(cwd, "top")),
  "the file itself": (cwd, outside) => swapFor(join(outside, "b.pack.json"), join(cwd, second)),
};

/** Only in Linux can an open folder be written in, so others have to look twice. */
const systems = isFull && platform === "linux" ? ["linux", "darwin"] : [platform];

describe.each(systems)("on %s, --fix of two files", (system) => {
  beforeEach(() => void Object.defineProperty(process, "platform", { value: system }));

  it.each(Object.entries(swaps))("does not fix the second where a link has replaced %s", async (_, act) => {
    const { cwd, outside, before } = twoFolders();
    // Once the first is written.
    swap.beforeRename.set(1, () => queueMicrotask(() => act(cwd, outside)));
    expect(await fix(cwd)).toMatchObject({
      code: 2,
      stderr:
        `promptpack: "${second}" has been replaced by a link, or is in a folder that has, so it was left alone.\n` +
        "promptpack: Fixed 1 finding in 1 file.\n",
    });
    expect(filesIn(outside)).toEqual(before);
    expect(filesIn(cwd).map(([, text]) => text === broken)).toEqual([false, true]);
  });

  it.each(Object.entries(swaps))("writes nowhere else when a link replaces %s meanwhile", async (_, act) => {
    const { cwd, outside, before } = twoFolders();
    swap.beforeRename.set(2, () => act(cwd, outside));
    await fix(cwd);
    expect(swap.renames).toBe(2);
    expect(filesIn(outside)).toEqual(before);
  });

  it("fixes no config in a folder that a link has replaced", async () => {
    const { cwd, outside } = twoFolders();
    for (const folder of [join(cwd, "top"), outside])
      writeFileSync(join(folder, "promptpack.config.yaml"), "properties: [{ name: x, eventually: ennd }]\n");
    const before = filesIn(outside);
    swap.beforeRename.set(2, () => queueMicrotask(() => swapFor(outside, join(cwd, "top"))));
    expect(await fix(cwd, "--unsafe-fixes")).toMatchObject({
      code: 2,
      stderr:
        'promptpack: "top/promptpack.config.yaml" has been replaced by a link, or is in a folder that has, so it was left alone.\n' +
        "promptpack: Fixed 2 findings in 2 files.\n",
    });
    expect(filesIn(outside)).toEqual(before);
  });
});
