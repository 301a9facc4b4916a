import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { unifiedDiff } from "../../src/fix/unified-diff.js";
import { runs } from "../runs.js";

describe("unifiedDiff", () => {
  it.each([
    ["nothing", "a\n", "a\n", ""],
    ["a line", "a\nb\nc\n", "a\nB\nc\n", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"],
    [
      "no line break at the end",
      "a",
      "b\n",
      "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n",
    ],
    ["from nothing", "", "a\n", "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"],
    ["to nothing", "a\n", "", "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n"],
    [
      "two hunks",
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "2\n3\n4\n5\n6\n7\n8\n9\n0\n",
      "--- a/f\n+++ b/f\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -7,3 +6,4 @@\n 7\n 8\n 9\n+0\n",
    ],
    [
      "two changes whose context touches",
      "1\n2\n3\n4\n5\n6\n7\n8\n",
      "2\n3\n4\n5\n6\n7\n",
      "--- a/f\n+++ b/f\n@@ -1,8 +1,6 @@\n-1\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n",
    ],
    ["a carriage return", "a\r\nb\r\n", "a\r\n", "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n a\r\n-b\r\n"],
  ])("%s", (_, before, after, expected) => {
    expect(unifiedDiff("f", before, after)).toBe(expected);
  });

  it("keeps names on their line", () => {
    const head = (name: string) => unifiedDiff(name, "a\n", "b\n").split("\n")[0];
    expect(head("my pack.yaml")).toBe("--- a/my pack.yaml\t");
    expect(head('a\n+++ "b\\\u0007')).toBe('--- "a/a\\012+++ \\042b\\134\\007"');
  });

  it("turns the one text into the other, with patch", () => {
    const folder = mkdtempSync(join(tmpdir(), "promptpack-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "f");
    const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n"), { maxLength: 30 });
    const text = fc.tuple(lines, fc.constantFrom("", "x")).map(([all, end]) => all.join("") + end);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff("f", before, after);
        expect(diff === "").toBe(before === after);
        if (diff === "" || after === "" || before === "") return;
        writeFileSync(file, before);
        execFileSync("patch", ["-p1", "-s", "--no-backup-if-mismatch", "-F0"], { cwd: folder, input: diff });
        expect(readFileSync(file, "utf8")).toBe(after);
      }),
      { numRuns: runs(60) },
    );
  });

  it("is quick where everything is another", () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join("");
    const after = before.replaceAll("\n", "!\n");
    expect(unifiedDiff("f", before, after).split("\n")).toHaveLength(3 + 40_000 + 1);
  });
});
