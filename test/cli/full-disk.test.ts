import type * as FileSystem from "node:fs";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { cleanPack } from "./packs.js";

const disk = vi.hoisted(() => ({ left: 0 }));

/** A disk with room for so many bytes. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof FileSystem>();
  return {
    ...fs,
    writeSync: (descriptor: number, bytes: Uint8Array, offset: number, length: number) => {
      if (disk.left === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      const room = Math.min(disk.left, length);
      disk.left -= room;
      return fs.writeSync(descriptor, bytes, offset, room);
    },
  };
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
    stderr: 'promptpack: "a.pack.json" cannot be written: the disk is full.\n',
  });
  expect(stdout).toMatch(/^a\.pack\.json:.* \[max-visits-target-unused\]\n$/);
  expect(readFileSync(join(cwd, "a.pack.json"), "utf8")).toBe(broken);
  expect(readdirSync(cwd)).toEqual([".git", "a.pack.json"]);
});
