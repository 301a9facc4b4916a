import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";

it("generates validators that compile nothing at run time", () => {
  const folder = new URL("../../src/schema/generated/", import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(scripts).toEqual(expect.arrayContaining(["accept-pack.js", "explain-pack.js"]));
  for (const name of scripts) {
    expect(readFileSync(new URL(name, folder), "utf8")).not.toMatch(/new Function|\beval\(|\brequire\(/);
  }
});
