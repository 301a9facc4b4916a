import { describe, expect, it } from "vitest";
import { withAdvice, type Diagnostic } from "../../src/diagnostic.js";
import { fingerprintFindings, textHash } from "../../src/reporters/fingerprint.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { cleanPack, promptAsEntry, promptOfTwoAsEntry } from "../cli/packs.js";
import { sampleFile } from "./sample-report.js";
import { isFull } from "../runs.js";

const [, , typo] = sampleFile.diagnostics;
if (typo === undefined) throw new Error("The sample has three findings.");

const printsOf = (file: string, diagnostics: readonly Diagnostic[]): readonly string[] =>
  fingerprintFindings({ ...sampleFile, file, diagnostics, suppressed: [] }).map(
    ({ fingerprint }) => fingerprint,
  );

const printOf = (changes: Partial<Diagnostic>, file = "a.yaml"): string | undefined =>
  printsOf(file, [{ ...typo, ...changes }])[0];

describe("a fingerprint", () => {
  it("stays the same when the finding moves, its advice or its numbers change", () => {
    const moved = { start: { line: 900, column: 1 }, end: { line: 901, column: 3 } };
    expect(printOf({ range: moved })).toBe(printOf({}));
    const message = typo.claim ?? "";
    for (const advice of [undefined, "Remove it.", 'Add it to "states".'])
      expect(printOf(withAdvice({ message, advice }))).toBe(printOf({}));
    expect(printOf({ claim: "At most 10 times." })).toBe(printOf({ claim: "At most 12 times." }));
  });

  it("differs by file, rule, pointer and names", () => {
    const prints = [
      printOf({}),
      printOf({}, "b.yaml"),
      printOf({ rule: "unknown-entry" }),
      printOf({ pointer: "/workflow/entry" }),
      printOf({ claim: '"s1" is unknown.' }),
      printOf({ claim: '"s2" is unknown.' }),
      printOf({ claim: '"s Did you mean 1" is unknown.' }),
      printOf({ claim: '"s Did you mean 2" is unknown.' }),
    ];
    expect(new Set(prints).size).toBe(8);
  });

  it("ends in a number that tells duplicates apart", () => {
    const [first = "", second = ""] = printsOf("a.yaml", [typo, typo]);
    expect(first).toMatch(/^[0-9a-f]{16}:1$/);
    expect(second).toBe(first.replace(/1$/, "2"));
  });

  it("is the same whether or not a duplicate is suppressed", () => {
    const later = { ...typo, range: { start: { line: 13, column: 1 }, end: { line: 13, column: 2 } } };
    const both = fingerprintFindings({ ...sampleFile, diagnostics: [typo, later] });
    const one = fingerprintFindings({
      ...sampleFile,
      diagnostics: [later],
      suppressed: [{ diagnostic: typo, by: "comment" }],
    });
    expect(one.map((found) => found.fingerprint)).toEqual(both.map((found) => found.fingerprint));
    expect(one.map((found) => found.suppressed?.by)).toEqual(["comment", undefined]);
  });
});

describe.each(["sarif", "gitlab"])("the fingerprints of %s", (format) => {
  const withUnused = (...names: string[]) => {
    const pack = cleanPack();
    const variables = names.map((name) => ({ name, type: "string", required: true }));
    const greet = { ...pack.prompts.greet, variables };
    return JSON.stringify({ ...pack, prompts: { ...pack.prompts, greet } }, null, 2);
  };

  const printsOf = async (text: string, ...args: string[]) => {
    const cwd = folderOf({ "a.pack.json": text });
    const { stdout } = await promptpack(["lint", "-f", format, ...args], { cwd });
    return [...stdout.matchAll(/"[0-9a-f]{16}:1"/g)].map(([print]) => print);
  };

  it("stay the same when the items of a list move", async () => {
    const before = await printsOf(withUnused("one", "two"));
    expect(before).toHaveLength(2);
    expect((await printsOf(withUnused("zero", "one", "two"))).slice(1)).toEqual(before);
  });

  it("stay the same when other advice is given", async () => {
    const before = await printsOf(promptAsEntry);
    expect(before).toHaveLength(1);
    expect(await printsOf(promptOfTwoAsEntry)).toEqual(before);
  });

  it("stay the same whether the pack pins an older version or a flag does", async () => {
    const pack = cleanPack();
    const before = await printsOf(JSON.stringify(pack), "--spec-version", "1.3");
    expect(before).toHaveLength(1);
    const $schema = "https://promptpack.org/schema/v1.3/promptpack.schema.json";
    expect(await printsOf(JSON.stringify({ ...pack, $schema }))).toEqual(before);
  });
});

describe("textHash", () => {
  it("never changes", () => {
    expect(textHash("")).toMatchInlineSnapshot(`"d5529249c92fd25a"`);
    expect(textHash("unbounded-loop")).toMatchInlineSnapshot(`"914faf08961ba9ac"`);
  });

  it.runIf(isFull)("spreads, in each half", () => {
    const hashes = Array.from({ length: 200_000 }, (_, index) => textHash(`/states/s${index}`));
    expect(new Set(hashes).size).toBe(200_000);
    // About five pairs are expected to collide among 200,000 random 32-bit words.
    expect(new Set(hashes.map((hash) => hash.slice(0, 8))).size).toBeGreaterThan(199_970);
    expect(new Set(hashes.map((hash) => hash.slice(8))).size).toBeGreaterThan(199_970);
  });
});
