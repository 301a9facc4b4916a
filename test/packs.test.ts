import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lint } from "../src/index.js";
import { promptpack } from "./cli/harness.js";
import { expectFile } from "./expected-file.js";
import { findingText } from "./rules/finding-text.js";

/** Packs modelled on the examples of the RFCs and the guides, with their findings. */
const folder = "fixtures/packs";
const packs = readdirSync(folder).filter((file) => /\.pack\.(json|yaml)$/.test(file));

it("has the examples", () => {
  expect(packs.length).toBe(34);
});

it.each(packs)("%s has exactly the expected findings", (file) => {
  const { diagnostics } = lint(readFileSync(join(folder, file)), { file });
  expectFile(join(folder, file.replace(/\.pack\.\w+$/, ".out")), findingText(diagnostics));
});

it.each(packs)("no rule reports a place in %s that the schema reports", (file) => {
  const { diagnostics } = lint(readFileSync(join(folder, file)), { file });
  const placesOf = (found: typeof diagnostics) => found.map(({ range }) => JSON.stringify(range));
  const told = placesOf(diagnostics.filter(({ rule }) => rule === "schema"));
  const others = placesOf(diagnostics.filter(({ rule }) => rule !== "schema"));
  expect(others.filter((place) => told.includes(place))).toEqual([]);
});

const rulesOf = (text: string): readonly string[] => [
  ...new Set(lint(text, { file: "pack.yaml" }).diagnostics.map(({ rule }) => rule)),
];

it("finds that the guard of the RFC 0009 code generation loop does not end it, with and without a budget", () => {
  const text = readFileSync(join(folder, "rfc-0009-codegen.pack.yaml"), "utf8");
  const held = lint(text, { file: "pack.yaml" }).diagnostics.find(
    ({ rule }) => rule === "loop-held-by-budget-only",
  );
  expect(held?.pointer).toBe("/workflow/states/review");
  expect(held?.trace?.loopFrom).toBe(21);
  const { at, ...last } = held?.trace?.steps.at(-1) ?? {};
  expect(last).toEqual({ from: "review", event: "ChangesNeeded", to: "review", forced: ["implement"] });
  expect(text.slice(0, at?.end)).toMatch(/\n {6}on_max_visits: review$/);
  const freed = text.replace(/^ {2}engine:\n(?: {4}.*\n)+/m, "");
  expect(rulesOf(freed)).toContain("unbounded-loop");
  expect(rulesOf(freed)).not.toContain("loop-held-by-budget-only");
});

it("accepts the loop of the RFC 0009 self-correcting agent", () => {
  const text = readFileSync(join(folder, "rfc-0009-self-correcting.pack.json"), "utf8");
  const loop = lint(text, { file: "pack.json" }).diagnostics.filter(({ rule }) =>
    /loop|trapped|completes|guard/.test(rule),
  );
  expect(loop.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(["info loop-without-budget"]);
});

it.each(["rfc-0010-single-step.pack.yaml", "rfc-0010-predicates.pack.json", "rfc-0017-override.pack.json"])(
  "exits 0 for %s, which is valid and says latest or v1",
  async (file) => {
    const args = ["lint", "--max-warnings", "0", "-f", "compact", file];
    expect(await promptpack(args, { cwd: folder })).toEqual({ code: 0, stdout: "", stderr: "" });
  },
);

it("says what RFC 0015 deprecates only from 1.7 on", () => {
  const text = readFileSync(join(folder, "rfc-0015-before.pack.yaml"), "utf8");
  expect(rulesOf(text)).toContain("deprecated-field");
  expect(rulesOf(text.replace("/latest/", "/v1.6.0/"))).not.toContain("deprecated-field");
});
