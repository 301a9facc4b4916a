import { expect, it } from "vitest";
import { unsupportedByRe2 } from "../../src/pattern/re2.js";

it.each([
  "a(?=b)",
  "a(?!b)",
  "(?<=a)b",
  "(?<!a)b",
  String.raw`\\(?=b)`,
  String.raw`[\]](?!b)`,
  "[]](?=b)",
  "[[:alpha:]](?!b)",
  String.raw`\Qa\E(?=b)`,
])("RE2 has no look-around: %s", (pattern) => {
  expect(unsupportedByRe2(pattern)).toBe("look-around");
});

it.each([String.raw`(a)\1`, String.raw`(?<q>.)\k<q>`, String.raw`(?P<q>.)(?P=q)`, String.raw`\\\1`])(
  "RE2 has no back references: %s",
  (pattern) => {
    expect(unsupportedByRe2(pattern)).toBe("a back reference");
  },
);

it.each([
  "(?:a)(?i:b)(?P<c>d)(?<e>f)",
  String.raw`\(?=b`,
  "[(?=]",
  "[^](?!]",
  String.raw`[\](?=]`,
  String.raw`\\1\12\d`,
  String.raw`\Q(?=\1\E`,
  String.raw`\Q(?=`,
  "[(?=",
  "\\",
  "",
])("RE2 runs: %s", (pattern) => {
  expect(unsupportedByRe2(pattern)).toBeUndefined();
});

it.each(["(", "[", "[[:a", "\\Q", "\\", "(?"])("reads a long pattern of %j in no time", (piece) => {
  const start = performance.now();
  unsupportedByRe2(piece.repeat(200_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});
