import { readFileSync } from "node:fs";
import fc from "fast-check";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { faultOfOutput, faultOfResult } from "../../scripts/fuzz/faults.mjs";
import { commandLine, hostileBytes, packText, yamlTree } from "../../scripts/fuzz/inputs.mjs";
import { minimise } from "../../scripts/fuzz/minimise.mjs";
import { Random } from "../../scripts/fuzz/random.mjs";
import { commands } from "../../src/cli/commands/index.js";
import { lint } from "../../src/index.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { clean, yamlPack } from "../cli/packs.js";
import { isFull, runs } from "../runs.js";

const seeds = [clean, yamlPack, readFileSync("examples/codegen.pack.yaml", "utf8")].map((text) =>
  Buffer.from(text),
);
const numRuns = runs(60);

/** Linted twice, in both formats: the same, without an exception, each place inside the text. */
function expectSound(source: string | Uint8Array): void {
  const bytes = typeof source === "string" ? Buffer.from(source) : source;
  for (const format of ["json", "yaml"] as const) {
    const result = lint(bytes, { format });
    expect(faultOfResult(result, bytes)).toBeUndefined();
    expect(lint(bytes, { format })).toEqual(result);
  }
}

describe("lint keeps its word", () => {
  it("on any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), expectSound), { numRuns });
  });

  it("on any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), expectSound), { numRuns });
  });

  it("on damaged packs", () => {
    const damaged = fc.nat().map((seed) => hostileBytes(new Random(seed), seeds));
    fc.assert(fc.property(damaged, expectSound), { numRuns });
  });

  it("on any tree, as JSON and as YAML", () => {
    const tree = fc.object({
      key: fc.oneof(fc.constantFrom("id", "prompts", "workflow", "states", "__proto__"), fc.string()),
      values: [fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)],
      maxDepth: 4,
    });
    fc.assert(
      fc.property(tree, (value) => {
        expectSound(JSON.stringify(value));
        expectSound(dump(value));
      }),
      { numRuns },
    );
  });

  it("on YAML in all its styles", () => {
    fc.assert(
      fc.property(
        fc.nat().map((seed) => yamlTree(new Random(seed))),
        expectSound,
      ),
      { numRuns },
    );
  });

  it("on packs with a mistake here and there", () => {
    fc.assert(
      fc.property(
        fc.nat().map((seed) => packText(new Random(seed))),
        expectSound,
      ),
      { numRuns },
    );
  });
});

describe("the program keeps its word", () => {
  it("on any command line in any folder", async () => {
    const command = fc.nat().map((seed) => commandLine(new Random(seed), seeds));
    await fc.assert(
      fc.asyncProperty(command, async ({ args, files, stdin }) => {
        const texts = files.map(([name, content]) => [name, Buffer.from(content).toString()] as const);
        const ran = await promptpack(args, {
          cwd: folderOf(Object.fromEntries(texts)),
          stdin: Buffer.from(stdin).toString(),
        });
        expect(faultOfOutput(ran, args)).toBeUndefined();
      }),
      { numRuns },
    );
  });

  it("on arguments that mean nothing", async () => {
    const word = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("lint", "-f", "--rule", "-", "."));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (args) => {
        // What waits for changes, or speaks to an editor, does not end by itself.
        fc.pre(!args.some((arg) => /^(?:watch|lsp|init|step)$|^--?w|=/u.test(arg)));
        expect(faultOfOutput(await promptpack(args))).toBeUndefined();
      }),
      { numRuns },
    );
  });
});

describe("the fuzzer", () => {
  const place = (line: number, column: number) => ({ line, column });
  const finding = (start: [number, number], end: [number, number], message = "So.") => ({
    diagnostics: [
      {
        rule: "schema",
        severity: "error" as const,
        message,
        pointer: "",
        range: { start: place(...start), end: place(...end) },
      },
    ],
  });
  const bytes = Buffer.from("ab\ncd\n");

  it.each([
    [finding([1, 1], [2, 3]), undefined],
    [finding([2, 1], [1, 1]), "it is inverted"],
    [finding([1, 2], [1, 1]), "it is inverted"],
    [finding([1, 5], [1, 5]), "there is no column 5 in line 1"],
    [finding([4, 1], [4, 1]), "there is no line 4"],
    [finding([1, 0], [1, 1]), "there is no column 0 in line 1"],
    [finding([1, 1], [1, 1], "It is undefined."), 'says "It is undefined."'],
  ])("sees a place that is wrong: %#", (result, fault) => {
    const found = faultOfResult(result, bytes);
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(fault);
  });

  it.each([
    [{ code: 0, stdout: "fine\n", stderr: "" }, undefined],
    [{ code: 2, stdout: "", stderr: "promptpack: Internal error: x.\n" }, "promptpack: Internal error: x.\n"],
    [{ code: 2, stdout: "", stderr: "" }, "failed without a word"],
    [{ code: 3, stdout: "", stderr: "" }, "ended with 3"],
    [{ code: 0, stdout: "a\u001b[2J", stderr: "" }, 'stdout holds a raw "a\\u001b[2J"'],
    [{ code: 0, stdout: "", stderr: "a\u202eb" }, 'stderr holds a raw "a\u202eb"'],
  ])("sees an end that is wrong: %#", (ran, fault) => {
    expect(faultOfOutput(ran)).toBe(fault);
  });

  it("makes what it found small", async () => {
    const found = Buffer.from(`${"x".repeat(500)}needle${"y".repeat(300)}`);
    const small = await minimise(found, (part) => Buffer.from(part).includes("needle"));
    expect(Buffer.from(small).toString()).toBe("needle");
  });

  const drawn = () => Array.from({ length: 400 }, (_, number) => new Random(7, number));

  it("runs every command", () => {
    const run = new Set(drawn().map((random) => commandLine(random, seeds).args[0]));
    expect([...commands.keys()].filter((name) => !run.has(name))).toEqual([]);
  });

  it.runIf(isFull)("writes packs by the grammar, with a property that is unknown only at their top", () => {
    const findings = drawn().flatMap((random) => lint(packText(random), { format: "json" }).diagnostics);
    const unknown = findings.filter(({ data }) => data?.["keyword"] === "additionalProperties");
    expect(new Set(unknown.map(({ pointer }) => pointer.split("/").length))).toEqual(new Set([2]));
  });

  it("repeats a case from its seed", () => {
    expect(packText(new Random(7, 3))).toBe(packText(new Random(7, 3)));
    expect(packText(new Random(7, 3))).not.toBe(packText(new Random(7, 4)));
  });
});
