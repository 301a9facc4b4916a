import type * as FileSystem from "node:fs";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { clean, cleanPack } from "./packs.js";

const disk = vi.hoisted(() => ({ left: 0, most: Infinity }));

/** A disk with room for so many bytes, which takes at most so many at once. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof FileSystem>();
  return {
    ...fs,
    writeSync: (descriptor: number, bytes: Uint8Array, offset: number, length: number) => {
      if (disk.left === 0)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const room = Math.min(disk.left, disk.most, length);
      disk.left -= room;
      return fs.writeSync(descriptor, bytes, offset, room);
    },
  };
});

beforeEach(() => {
  disk.most = Infinity;
});

const pack = cleanPack();
const broken = JSON.stringify({
  ...pack,
  workflow: {
    ...pack.workflow,
    states: { ...pack.workflow.states, end: { ...pack.workflow.states.end, on_max_visits: "hello" } },
  },
});

it.each([0, 1, 100])("a disk with room for %d bytes leaves the file as it was", async (room) => {
  disk.left = room;
  const cwd = folderOf({ "a.pack.json": broken });
  const { code, stdout, stderr } = await promptpack(["lint", "--fix", "-f", "compact"], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'promptpack: "a.pack.json" cannot be written: no space left on device.\n',
  });
  expect(stdout).toMatch(/^a\.pack\.json:.* \[max-visits-target-unused\]\n$/);
  expect(readFileSync(join(cwd, "a.pack.json"), "utf8")).toBe(broken);
  expect(readdirSync(cwd)).toEqual([".git", "a.pack.json"]);
});

it.each([0, 1, 100])("a disk with room for %d bytes leaves a run as it was", async (room) => {
  const cwd = folderOf({ "a.pack.json": clean });
  const step = (...flags: string[]) =>
    promptpack(["step", "a.pack.json", "--run", "run.json", ...flags], { cwd });
  disk.left = 10_000;
  await step("--start", "--run-id", "R1");
  const before = readFileSync(join(cwd, "run.json"), "utf8");
  disk.left = room;
  expect(await step("--event", "Done", "--step", "1")).toEqual({
    code: 2,
    stdout: "",
    stderr: 'promptpack: "run.json" cannot be written: no space left on device.\n',
  });
  expect(readFileSync(join(cwd, "run.json"), "utf8")).toBe(before);
  expect(readdirSync(cwd)).toEqual([".git", "a.pack.json", "run.json"]);
});

it("a disk that takes little at a time gets all of a run", async () => {
  const cwd = folderOf({ "a.pack.json": clean });
  disk.left = 10_000;
  disk.most = 7;
  await promptpack(["step", "a.pack.json", "--run", "run.json", "--start", "--goal", "g€".repeat(100)], {
    cwd,
  });
  const { runs } = JSON.parse(readFileSync(join(cwd, "run.json"), "utf8")) as { runs: object };
  expect(Object.values(runs)).toMatchObject([{ goal: "g€".repeat(100) }]);
});

it("a disk without room leaves a report as it was", async () => {
  const cwd = folderOf({ "a.pack.json": clean, "report.json": "old" });
  disk.left = 10;
  expect(await promptpack(["lint", "-f", "json=report.json"], { cwd })).toEqual({
    code: 2,
    stdout: "",
    stderr: 'promptpack: "report.json" cannot be written: no space left on device.\n',
  });
  expect(readFileSync(join(cwd, "report.json"), "utf8")).toBe("old");
  expect(readdirSync(cwd)).toEqual([".git", "a.pack.json", "report.json"]);
});
