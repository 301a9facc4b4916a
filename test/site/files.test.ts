import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { joinFiles, type NamedText, splitFiles } from "../../site/client/files.js";
import { analyze, lintAnalysis, missingFiles } from "../../site/client/worker/analyze.js";
import { applyEdits } from "../../src/fix/apply-edits.js";
import { runs } from "../runs.js";

const names = ["kitchen.arena.yaml", "prompts/cook.yaml", "prompts/taster.yaml", "tools/pantry.yaml"];
const example = [...names, "scenarios/dinner.yaml"].map((name) => ({
  name,
  text: readFileSync(`site/examples/project/${name}`, "utf8"),
}));
const found = (files: readonly NamedText[]) =>
  lintAnalysis(analyze(joinFiles(files))).kept.map(({ rule, file, range, message }) => {
    const { line, column } = range.start;
    return [rule, `${file}:${line}:${column}`, message.replace(/\.[^]*/, ".")];
  });

it("makes one text of any files, and finds them in it again", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\0", "\n", "é"), maxLength: 8 });
  const file = fc.record({ name: fc.string({ maxLength: 5 }).filter((name) => !name.includes("\0")), text });
  const files = fc.uniqueArray(file, { minLength: 1, maxLength: 100, selector: ({ name }) => name });
  fc.assert(
    fc.property(files, (given) => {
      const shown = given.map(({ name, text: own }) => ({ name, text: own.replaceAll("\0", " ") }));
      expect(splitFiles(joinFiles(given))).toEqual(shown);
    }),
    { numRuns: runs(300) },
  );
});

it.each([
  ["nothing", ""],
  ["a pack", "id: x\n"],
  ["a NUL", "\0"],
  ["a name without a text", "\0a"],
  ["a second name without a text", "\0a\0b\0c"],
  ["a text before the first name", "x\0a\0b"],
  ["one name twice", "\0a\0one\0a\0two"],
  ["too many names", Array.from({ length: 101 }, (_, index) => `\0${index}\0`).join("")],
  ["a million NULs", "\0".repeat(1_000_000)],
])("takes a text that holds no project for one file: %s", (_, text) => {
  const [file, ...others] = splitFiles(text);
  expect([file?.name, file?.text === text, others]).toEqual(["", true, []]);
});

it("finds what is wrong in each file, and offers fixes in the texts of all", () => {
  expect(found(example)).toEqual([
    [
      "unbounded-loop",
      "kitchen.arena.yaml:21:7",
      "This loop can repeat forever: cook ─MenuReady→ taste ─TooSalty→ cook.",
    ],
    [
      "unknown-tool",
      "prompts/cook.yaml:9:19",
      'Prompt "cook" lists the tool "read_pantri", which is not in "tools".',
    ],
    [
      "scenario-unknown-name",
      "scenarios/dinner.yaml:15:20",
      'The assertion expects the state "served", which is not a state.',
    ],
  ]);
  const analysis = analyze(joinFiles(example));
  const { fix } = lintAnalysis(analysis).kept[1] ?? {};
  const fixed = applyEdits(analysis.document.text, fix?.edits ?? []);
  expect(fixed).toBe(analysis.document.text.replace("read_pantri]", "read_pantry]"));
});

it("says which files are missing, in the folder of the project or below", () => {
  const [head = { name: "", text: "" }, cook = head] = example;
  const text = head.text
    .replace("tools/pantry.yaml", "../pantry.yaml\n    - file: /etc/pantry.yaml")
    .replace("prompts/t", "./prompts/../t");
  const analysis = analyze(
    joinFiles([
      { name: "", text },
      { ...cook, name: "prompts/cooks.yaml" },
    ]),
  );
  expect(missingFiles(analysis)).toEqual(["prompts/cook.yaml", "taster.yaml", "scenarios/dinner.yaml"]);
  const { kept } = lintAnalysis(analysis);
  expect(kept.filter(({ rule }) => rule === "source-file").map(({ message }) => message)).toEqual([
    '"prompts/cook.yaml" does not exist. Did you mean "prompts/cooks.yaml"?',
    '"./prompts/../taster.yaml" does not exist.',
    '"../pantry.yaml" is outside of the folder of the project.',
    '"/etc/pantry.yaml" is outside of the folder of the project.',
    '"scenarios/dinner.yaml" does not exist.',
  ]);
});

it("takes a prompt or a tool alone for what it is", () => {
  const [, cook, , tool] = example;
  expect(found([{ name: "", text: cook?.text ?? "" }])).toEqual([]);
  expect(found([{ name: "", text: (tool?.text ?? "").replace("mode:", "mod:") }])).toEqual([
    ["source-shape", ":7:3", '"mod" is not a property of a tool.'],
  ]);
});
