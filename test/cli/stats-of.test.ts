import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { statIfExists } from "../../src/cli/files/read-file.js";
import { folderOf } from "./harness.js";

it.each(["a.txt/below", "missing", "x".repeat(5_000)])("nothing is at %#", (name) => {
  const cwd = folderOf({ "a.txt": "" });
  expect(statIfExists(join(cwd, name))).toBeUndefined();
});

it("what cannot be looked at is not said to be missing", () => {
  const cwd = folderOf({});
  symlinkSync("round", join(cwd, "round"));
  expect(() => statIfExists(join(cwd, "round"))).toThrow("ELOOP");
});
