import { expect, it, vi } from "vitest";
import type * as Lint from "../../src/analysis.js";
import { RuleFailure } from "../../src/lint/run-rules.js";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean } from "./packs.js";

vi.mock("../../src/analysis.js", async (load) => {
  const real = await load<typeof Lint>();
  class Analysis extends real.Analysis {
    override lint(settings: Lint.LintSettings): Lint.Findings {
      const { text } = this.document;
      if (text.includes("RULE")) throw new RuleFailure("dead-guard", new Error("It broke."));
      if (text.includes("ELSE")) throw new RangeError("too much\u001b[2J");
      return super.lint(settings);
    }
  }
  return { ...real, Analysis };
});

it("an internal error is one line with the file and the rule, and other files are linted", async () => {
  const cwd = folderOf({
    "a.pack.json": clean.replace("Greeter", "RULE"),
    "b.pack.json": clean.replace("Greeter", "ELSE"),
    "c.pack.json": badEntry,
  });
  const { code, stdout, stderr } = await promptpack(["lint", "-f", "compact"], { cwd });
  expect({ code, files: stdout.split("\n").map((line) => line.split(":")[0]) }).toEqual({
    code: 2,
    files: ["c.pack.json", ""],
  });
  expect(stderr).toBe(
    'promptpack: "a.pack.json" caused an internal error in the rule "dead-guard": It broke. Please report it, with the file if you can.\n' +
      'promptpack: "b.pack.json" caused an internal error: too much\\u001b[2J. Please report it, with the file if you can.\n',
  );
});
