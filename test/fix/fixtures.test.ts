import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Analysis } from "../../src/analysis.js";
import { detectFormat } from "../../src/document/file-format.js";
import { readDocument } from "../../src/document/read.js";
import { applyFixes, type FixOptions } from "../../src/fix/apply-fixes.js";
import { rules } from "../../src/rules/index.js";

const subjects = ["file", "document", "pack", "workflow", "graph", "routes"];
const fixing = rules.filter(
  ({ fix, subject }) => fix !== undefined && fix !== "proved" && subjects.includes(subject),
);

/** How many findings a fixture has before and after its fixes, with this rule alone. */
function counts(rule: string, fixture: string): readonly [number, number] {
  const text = readFileSync(fixture, "utf8");
  const levels = new Map(rules.map(({ id }) => [id, id === rule ? "error" : "off"] as const));
  const check: FixOptions["check"] = (other) =>
    new Analysis(fixture, readDocument(other, detectFormat(fixture, other))).lint({
      levels,
      fileExists: () => true,
      readFileBeside: () => undefined,
    });
  const fixed = applyFixes(text, check(text), { check, shouldFix: () => true });
  return [check(text).kept.length, check(fixed.text).kept.length];
}

describe("a rule that declares fixes has a fixture that they mend", () => {
  // Their findings depend on files beside the pack, or are made where comments are read.
  const elsewhere = ["unknown-output-field", "unused-suppression"];

  it.each(fixing.map(({ id }) => id).filter((id) => !elsewhere.includes(id)))("%s", (id) => {
    const folder = join("fixtures/rules", id);
    const bad = readdirSync(folder).filter((name) => /^bad-.*(?<!\.config)\.(?:yaml|json)$/.test(name));
    const mended = bad.filter((name) => {
      const [before, after] = counts(id, join(folder, name));
      return after < before;
    });
    expect(mended).not.toEqual([]);
  });
});
