import { describe, expect, it } from "vitest";
import type { TextEdit } from "../../src/diagnostic.js";
import { readDocument } from "../../src/document/read.js";
import { applyEdits, type Fixable, withoutOverlappingFixes } from "../../src/fix/apply-edits.js";
import { changedPointers } from "../../src/fix/apply-fixes.js";

const edit = (start: number, end: number, text = ""): TextEdit => ({ start, end, text });
const finding = (message: string, ...edits: TextEdit[]): Fixable => ({
  rule: "schema",
  severity: "error",
  message,
  pointer: "",
  range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
  fix: { description: "Mend it.", edits },
});

it("edits are made in the order of the text, however they are listed", () => {
  expect(applyEdits("abcdef", [edit(4, 5, "E"), edit(0, 1, "A"), edit(2, 2, "-")])).toBe("Ab-cdEf");
});

it.each<[string, readonly TextEdit[][], string]>([
  ["apart", [[edit(0, 2)], [edit(3, 5)]], "0 1"],
  ["apart, the last one first", [[edit(3, 5)], [edit(0, 2)]], "0 1"],
  ["between two", [[edit(0, 2)], [edit(8, 9)], [edit(4, 6)]], "0 1 2"],
  ["touching what is before", [[edit(0, 2)], [edit(2, 4)]], "0"],
  ["touching what is behind", [[edit(2, 4)], [edit(0, 2)]], "0"],
  ["at the same place", [[edit(2, 2)], [edit(2, 2)]], "0"],
  ["inside", [[edit(0, 9)], [edit(3, 5)]], "0"],
  ["round it", [[edit(3, 5)], [edit(0, 9)]], "0"],
  ["one of two", [[edit(3, 5)], [edit(0, 1), edit(4, 6)], [edit(0, 1)]], "0 2"],
])("of findings whose edits overlap the first is kept: %s", (_, lists, kept) => {
  const findings = lists.map((edits, index) => finding(String(index), ...edits));
  expect(
    withoutOverlappingFixes(findings)
      .map(({ message }) => message)
      .join(" "),
  ).toBe(kept);
});

describe("where two packs differ", () => {
  const root = (text: string) => {
    const { root: node } = readDocument(text, "yaml");
    if (node === undefined) throw new Error("nothing to read");
    return node;
  };
  it.each<[string, string, ...string[]]>([
    ["a: 1", "a: 1"],
    ["a: 1", "a: 2", "/a"],
    ["a: 1", "a: {}", "/a"],
    ["a: {}", "a: 1", "/a"],
    ["a: []", "a: {}", "/a"],
    ["a: {}", "a: []", "/a"],
    ["a: [1, 2]", "a: [1, 3]", "/a/1"],
    ["a: [1, 2]", "a: [1]", "/a"],
    ["a: 1", "a: 1\nb: 2", "/b"],
    ["a: 1\nb: 2", "a: 1", "/b"],
    ["a: 1\nb: {c: 2}", "a: 1\nd: {c: 2}", "/b"],
    ["a: 1\nb: {c: 2}", "a: 1\nd: {c: 3}", "/b", "/b/c"],
    ["a: 1\nb: 2", "b: 2\na: 1"],
    ["a: 1\nb: 2", "c: 1\nd: 2", "/a", "/b"],
    ["a: 1\nb: 2\nc: 3", "d: 1\nb: 2\ne: 4", "/a", "/c", "/c"],
    ["a: 1\nb: 2", "b: 1\nc: 2", "/a", "/b", "/c"],
    ["a: 1\nb: 2", "b: 1\na: 2", "/a", "/b"],
  ])("%j, %j", (before, after, ...pointers) => {
    expect([...changedPointers(root(before), root(after))].sort()).toEqual(pointers);
  });
});
