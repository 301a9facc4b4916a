import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/diagnostic.js";
import { rules } from "../../src/rules/index.js";
import type { Rule } from "../../src/rules/rule.js";
import { expectFile } from "../expected-file.js";
import { besideFixtures, examine } from "./examine.js";
import { findingText } from "./finding-text.js";

const root = "fixtures/rules";

/** Runs one rule on one fixture. A rule about the linting itself needs the others to speak first. */
function findings(rule: Rule, folder: string, file: string): readonly Diagnostic[] {
  const alone = Object.fromEntries(
    rules.map(({ id, severity }) => [id, id === rule.id ? severity : ("off" as const)]),
  );
  const { diagnostics } = examine(
    { file, source: readFileSync(join(folder, file)), subject: rule.subject, ...besideFixtures(folder) },
    rule.subject === "linting" ? {} : alone,
  );
  return diagnostics.filter((diagnostic) => diagnostic.rule === rule.id);
}

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  const folder = join(root, id);
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const ok = files.filter((file) => file.startsWith("ok-"));
  const bad = files.filter((file) => file.startsWith("bad-") && !file.endsWith(".out"));

  it("has fixtures of both kinds", () => {
    expect({ ok: ok.length > 0, bad: bad.length > 0 }).toEqual({ ok: true, bad: true });
    const expected = bad.map((file) => file.replace(/\.\w+$/, ".out")).sort();
    expect(
      files.filter((file) => file.endsWith(".out")),
      "one .out for each bad fixture",
    ).toEqual(expected);
  });

  it.each(ok)("is silent on %s", (file) => {
    expect(findingText(findings(rule, folder, file))).toBe("");
  });

  it.each(bad)("finds exactly what is wrong in %s", (file) => {
    const found = findings(rule, folder, file);
    expect(found).not.toEqual([]);
    expectFile(join(folder, `${file.replace(/\.\w+$/, "")}.out`), findingText(found));
  });
});

it("has no fixtures for rules that do not exist", () => {
  const ids = rules.map(({ id }) => id);
  expect(readdirSync(root).filter((name) => !ids.includes(name))).toEqual([]);
});
