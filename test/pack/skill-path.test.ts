import { expect, it } from "vitest";
import { pathParts, relativePath } from "../../src/pack/skills.js";

it.each<[string, string | undefined]>([
  ["./skills/billing", "skills/billing"],
  [".//./skills", "skills"],
  ["./", "./"],
  [".", "."],
  ["../skills", "../skills"],
  ["skills/billing", "skills/billing"],
  ["skills\\billing", "skills/billing"],
  ["SKILL.md", "SKILL.md"],
  [".hidden/skills", ".hidden/skills"],
  ["skills.d/billing", "skills.d/billing"],
  ["skills.io/billing", undefined],
  ["billing", undefined],
  ["", undefined],
  ["skills/\0", undefined],
  [`skills/${"a".repeat(4_089)}`, `skills/${"a".repeat(4_089)}`],
  [`skills/${"a".repeat(4_090)}`, undefined],
  ["/skills/billing", undefined],
  ["~/skills", undefined],
  ["@acme/skills", undefined],
  ["acme/skills@2", undefined],
  ["github.com/acme/skills", undefined],
  ["https://acme.com/skills", undefined],
  ["C:/skills", undefined],
  ["skills/*", undefined],
  ["skills/$NAME", undefined],
  ["skills/{name}", undefined],
])("%j is a path beside the pack: %j", (text, path) => {
  expect(relativePath(text)).toBe(path);
});

it.each<[string, string]>([
  ["./skills//billing/", "skills billing"],
  ["skills\\billing", "skills billing"],
  ["skills/../billing", "billing"],
  ["skills/..", ""],
  ["../skills", ".. skills"],
  ["../../skills", ".. .. skills"],
  ["skills/../../billing", ".. billing"],
  ["a/b/../c", "a c"],
])("the parts of %j are %j", (text, parts) => {
  expect(pathParts(text).join(" ")).toBe(parts);
});
