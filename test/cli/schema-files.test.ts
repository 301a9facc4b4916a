import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { closedSchema as closed, packWithSchema as packWith } from "./packs.js";

/** The rules that report something in `packs/a.pack.json`. */
async function rulesIn(cwd: string, path: string): Promise<readonly string[]> {
  mkdirSync(join(cwd, "packs"), { recursive: true });
  writeFileSync(join(cwd, "packs/a.pack.json"), packWith(path));
  const { stdout } = await promptpack(["lint", "-f", "json", "packs/a.pack.json"], { cwd });
  const { files } = JSON.parse(stdout) as { files: { diagnostics: { rule: string }[] }[] };
  return files.flatMap(({ diagnostics }) => diagnostics.map(({ rule }) => rule));
}

test("reads the schema of a step beside the pack", async () => {
  const cwd = folderOf({ "packs/schemas/intent.json": closed, "packs/intent.json": closed });
  expect(await rulesIn(cwd, "schemas/intent.json")).toEqual(["unknown-output-field"]);
  expect(await rulesIn(cwd, "./intent.json")).toEqual(["unknown-output-field"]);
  expect(await rulesIn(cwd, "schemas/mood.json")).toEqual(["schema-file"]);
});

test("reads nothing outside the folder of the pack, not even through a link", async () => {
  const cwd = folderOf({ "outside/intent.json": closed, "outside/list.json": "[]", "packs/x": "" });
  symlinkSync("../outside", join(cwd, "packs/linked"));
  symlinkSync("../outside/list.json", join(cwd, "packs/list.json"));
  expect(await rulesIn(cwd, "../outside/intent.json")).toEqual([]);
  expect(await rulesIn(cwd, "../outside/list.json")).toEqual([]);
  expect(await rulesIn(cwd, "linked/intent.json")).toEqual([]);
  expect(await rulesIn(cwd, "list.json")).toEqual([]);
});

test("reads no folder, and no file of more than a megabyte", async () => {
  const padding = " ".repeat(1024 * 1024 - closed.length);
  const cwd = folderOf({
    "packs/schemas/folder.json/x": "",
    "packs/schemas/small.json": closed + padding,
    "packs/schemas/large.json": `${closed}${padding} `,
  });
  expect(await rulesIn(cwd, "schemas/folder.json")).toEqual([]);
  expect(await rulesIn(cwd, "schemas/small.json")).toEqual(["unknown-output-field"]);
  expect(await rulesIn(cwd, "schemas/large.json")).toEqual([]);
});

test("reads nothing for standard input", async () => {
  const cwd = folderOf({ "schemas/intent.json": closed });
  const ran = await promptpack(["lint", "-"], { cwd, stdin: packWith("schemas/intent.json") });
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toContain("unknown-output-field");
});
