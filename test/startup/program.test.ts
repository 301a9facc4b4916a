import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("is read as bytes, so every character in it is one", () => {
  expect(readFileSync("dist/program.cjs", "utf8")).not.toMatch(/[^\0-\x7f]/);
});

it("knows the characters that its source knows", () => {
  const drawn = execFileSync(process.execPath, [
    "bin/promptpack.js",
    "graph",
    "test/drawing/expected/small.pack.yaml",
  ]);
  expect(drawn.toString()).toBe(readFileSync("test/drawing/expected/small.mmd", "utf8"));
});
