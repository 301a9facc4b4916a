import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const readme = readFileSync("README.md", "utf8");

it("has two commands in its quick start, each alone in a block", () => {
  const section = /^## Quick start\n([^]*?)^## /m.exec(readme)?.[1] ?? "";
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map((match) => match[1]?.trim().split("\n"));
  expect(blocks.map((lines) => lines?.length)).toEqual([1, 1]);
});

it("is short", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(250);
});
