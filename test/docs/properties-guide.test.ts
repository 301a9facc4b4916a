import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { folderOf, promptpack } from "../cli/harness.js";
import { expectFile } from "../expected-file.js";
import { fencedBlocks } from "./fenced-blocks.js";

const path = "docs/properties.md";
const page = readFileSync(path, "utf8");
const blocks = fencedBlocks(page);

it("shows what lint prints for its example", async () => {
  const [config, pack, output] = blocks;
  const cwd = folderOf({
    "promptpack.config.yaml": config?.body ?? "",
    "support.pack.yaml": pack?.body ?? "",
  });
  const { stdout, stderr } = await promptpack(["lint"], { cwd });
  expect(stderr).toBe("");
  expectFile(
    path,
    page.replace("```text\n" + (output?.body ?? "") + "```", () => "```text\n" + stdout + "```"),
  );
});

it("has an example of every key, and each is a config", async () => {
  const configs = blocks.filter(({ body }) => /^properties:/m.test(body));
  const used = new Set<string>();
  for (const { body } of configs) {
    const cwd = folderOf({ "promptpack.config.yaml": body });
    const { stderr } = await promptpack(["lint", "--print-config", "a.pack.yaml"], { cwd });
    expect(stderr).toBe("");
    for (const property of (parse(body) as { properties: object[] }).properties)
      for (const key of Object.keys(property)) used.add(key);
  }
  const schema = JSON.parse(readFileSync("schema/config.schema.json", "utf8"));
  expect([...used].sort()).toEqual(Object.keys(schema.properties.properties.items.properties).sort());
});
