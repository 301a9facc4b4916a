import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/diagnostic.js";
import { rules } from "../../src/rules/index.js";
import type { Rule } from "../../src/rules/rule.js";
import { expectFile } from "../expected-file.js";
import { besideFixtures, examine } from "./examine.js";
import { findingText } from "./finding-text.js";
import { filesBelow, findingsIn } from "./lint-folder.js";

const root = "fixtures/rules";
const outOf = (fixture: string): string => `${fixture.replace(/\.\w+$/, "")}.out`;

const isFixture = (file: string): boolean => !file.endsWith(".config.yaml");

const found = new Map<string, readonly Diagnostic[]>();

/** The findings of one rule in one fixture, computed once. A folder is linted by the command. */
async function findings(rule: Rule, folder: string, file: string): Promise<readonly Diagnostic[]> {
  const path = join(folder, file);
  const find = () =>
    statSync(path).isDirectory() ? findingsIn(filesBelow(path), rule.id) : findFindings(rule, folder, file);
  const known = found.get(path) ?? (await find());
  found.set(path, known);
  return known;
}

/** A rule runs alone, but for those it defers to; one about suppressions needs the findings of all. */
function findFindings(rule: Rule, folder: string, file: string): readonly Diagnostic[] {
  const runs = new Set([rule.id, ...(rule.defersTo ?? [])]);
  const alone = Object.fromEntries(
    rules.map(({ id, severity }) => [id, runs.has(id) ? severity : ("off" as const)]),
  );
  const { diagnostics } = examine(
    {
      file,
      source: readFileSync(join(folder, file)),
      subject: rule.subject,
      ...besideFixtures(folder, file),
    },
    rule.id === "unused-suppression" ? {} : alone,
  );
  return diagnostics.filter((diagnostic) => diagnostic.rule === rule.id);
}

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  const folder = join(root, id);
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter(isFixture).sort();
  const ok = files.filter((file) => file.startsWith("ok-"));
  const bad = files.filter((file) => file.startsWith("bad-") && !file.endsWith(".out"));

  it("has fixtures of both kinds", () => {
    const missing = `fixtures/rules/${id} needs files called ok-… and bad-… (CONTRIBUTING.md, step 3)`;
    expect({ ok: ok.length > 0, bad: bad.length > 0 }, missing).toEqual({ ok: true, bad: true });
  });

  it.each(ok)("is silent on %s", async (file) => {
    expect(findingText(await findings(rule, folder, file))).toBe("");
  });

  it.each(bad)("finds exactly what is wrong in %s", async (file) => {
    const found = await findings(rule, folder, file);
    expect(found).not.toEqual([]);
    expectFile(join(folder, outOf(file)), findingText(found));
  });

  it("has the fixes that it declares", async () => {
    const all = await Promise.all(bad.map((file) => findings(rule, folder, file)));
    const fixes = all.flat().flatMap(({ fix }) => fix ?? []);
    const unsafe = fixes.length === 0 ? undefined : "unsafe";
    // Linting proves none: test/fix/proved-fixes.test.ts does.
    const declared = rule.fix === "proved" ? undefined : rule.fix;
    expect(fixes.some((fix) => fix.unsafe !== true) ? "safe" : unsafe).toBe(declared);
  });

  // Last, because the tests above write missing files in update mode.
  it("has one .out for each bad fixture", () => {
    const outs = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".out")) : [];
    expect(outs.sort()).toEqual(bad.map(outOf).sort());
  });
});

it("has no fixtures for rules that do not exist", () => {
  const ids = rules.map(({ id }) => id);
  const unlisted = readdirSync(root).filter((name) => !ids.includes(name));
  expect(unlisted, "src/rules/index.ts does not list these rules (CONTRIBUTING.md, step 2)").toEqual([]);
});
