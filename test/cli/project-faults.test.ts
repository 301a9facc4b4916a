import { expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { cleanProject, withChange } from "./projects.js";

const lines = async (files: Readonly<Record<string, string>>) =>
  (await promptpack(["lint", "-f", "compact"], { cwd: folderOf(files) })).stdout.split("\n").slice(0, -1);

it("reports a syntax error in the file of a project that has it, once", async () => {
  const files = withChange("tools/find-slot.yaml", "required: [day]", "required: [day");
  const broken = 'A bracket is still open here; close it with "]" or indent this line further.';
  expect(await lines(files)).toEqual([`tools/find-slot.yaml:13:3: error: ${broken} [parse-error]`]);
  const { code, stdout, stderr } = await promptpack(["lint", "-f", "json"], { cwd: folderOf(files) });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const report = JSON.parse(stdout) as { files: { file: string; diagnostics: object[] }[] };
  expect(report.files.filter(({ diagnostics }) => diagnostics.length > 0)).toMatchObject([
    { file: "tools/find-slot.yaml", diagnostics: [{ rule: "parse-error", project: "arena.yaml" }] },
  ]);
});

it("reports a key that a file has twice", async () => {
  const files = withChange("prompts/book.yaml", "  task_type: book", "  task_type: book\n  task_type: book");
  expect(await lines(files)).toEqual([
    'prompts/book.yaml:7:3: error: The key "task_type" is already used in this object; only one of them counts. Rename or remove the others. [duplicate-key]',
  ]);
});

it("calls no source unused that a head may list, or lists in the wrong place", async () => {
  const headless = withChange("arena.yaml", "spec:", "spec: [");
  expect((await lines(headless)).map((line) => line.split(" ").at(-1))).toEqual(["[parse-error]"]);
  const tools = withChange("arena.yaml", "tools/find-slot.yaml", "prompts/../scenarios/flat-tyre.yaml");
  const other = {
    ...tools,
    "arena.yaml": tools["arena.yaml"]?.replace("prompts/listen.yaml", "tools/find-slot.yaml") ?? "",
  };
  // The prompt that no head lists may be the one that is meant.
  expect((await lines(other)).filter((line) => line.endsWith("[source-unused]"))).toEqual([]);
  expect(await lines(cleanProject)).toEqual([]);
});
