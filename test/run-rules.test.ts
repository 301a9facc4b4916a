import { expect, it } from "vitest";
import { ruleSet, runRules } from "../src/lint/run-rules.js";
import { Analysis } from "../src/analysis.js";
import { readDocument } from "../src/document/read.js";
import type { RuleFor } from "../src/rules/rule.js";
import { isFull } from "./runs.js";

const rule: RuleFor<"pack"> = {
  id: "short",
  subject: "pack",
  summary: "Short.",
  severity: "warning",
  source: "promptpack",
  check: () => [],
};

/** The rules that speak of a file with so many short findings. */
function rulesOf(findings: number): ReadonlySet<string> {
  const document = readDocument("id: a\n", "yaml");
  const finding = { at: { pointer: "", start: 0, end: 0 }, message: "No." };
  const told = runRules(document, ruleSet([rule]), () => Array(findings).fill(finding), {});
  return new Set(told.map(({ rule: id }) => id));
}

it.runIf(isFull)("takes a few hundred thousand short findings, and refuses a million", () => {
  expect(rulesOf(300_000)).toEqual(new Set(["short"]));
  expect(rulesOf(1_000_000)).toEqual(new Set(["parse-error"]));
});

it("says nothing else of a file that is no pack, though the rule that says so is off", () => {
  const document = readDocument("apiVersion: promptkit/v1\nkind: PromptConfig\n", "yaml");
  const { kept } = new Analysis("", document).lint({ levels: new Map([["not-a-pack", "off"]]) });
  expect(kept).toEqual([]);
});
