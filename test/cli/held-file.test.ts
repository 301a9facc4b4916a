import type * as Fs from "node:fs";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { replaceFile } from "../../src/cli/files/write-file.js";
import { folderOf } from "./harness.js";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  return { ...fs, renameSync: vi.fn(fs.renameSync) };
});

const { platform } = process;
const rename = vi.mocked(renameSync);

beforeEach(() => {
  rename.mockClear();
});
afterEach(() => runOn(platform));

function runOn(system: string): void {
  Object.defineProperty(process, "platform", { value: system });
}

function refuse(code: string, times: number): void {
  for (let time = 0; time < times; time++) {
    rename.mockImplementationOnce(() => {
      throw Object.assign(new Error(code), { code });
    });
  }
}

function fixIn(folder: string): string {
  replaceFile(join(folder, "a"), Buffer.from("old"), Buffer.from("new"));
  return readFileSync(join(folder, "a"), "utf8");
}

it.each(["EPERM", "EACCES", "EBUSY"])("waits on Windows while a file is held (%s)", (code) => {
  runOn("win32");
  refuse(code, 2);
  expect(fixIn(folderOf({ a: "old" }))).toBe("new");
  expect(rename).toHaveBeenCalledTimes(3);
});

it("does not wait for ever, for what does not pass, or on other systems", () => {
  const folder = folderOf({ a: "old" });
  for (const [system, code, times] of [
    ["win32", "EPERM", 11],
    ["win32", "ENOSPC", 1],
    ["linux", "EPERM", 1],
  ] as const) {
    runOn(system);
    rename.mockClear();
    refuse(code, times);
    expect(() => fixIn(folder)).toThrow(code);
    expect(rename).toHaveBeenCalledTimes(times);
  }
});

it("leaves a file alone that changed while it was held", () => {
  const folder = folderOf({ a: "old" });
  runOn("win32");
  rename.mockImplementationOnce(() => {
    writeFileSync(join(folder, "a"), "saved meanwhile");
    throw Object.assign(new Error("held"), { code: "EBUSY" });
  });
  expect(() => fixIn(folder)).toThrow("changed while it was being fixed");
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("saved meanwhile");
});
