import { expect, it } from "vitest";
import { quoteSource, quoteValue } from "../../src/document/document.js";

it.each([
  ["a".repeat(40), `"${"a".repeat(40)}"`],
  ["a".repeat(41), `"${"a".repeat(40)}…"`],
  ["😀".repeat(41), `"${"😀".repeat(40)}…"`],
  ["a\u00a0b\u00ad\u061c\u202e", '"a\\u00a0b\\u00ad\\u061c\\u202e"'],
  ["\u{e0001}", '"\\u{e0001}"'],
  ["👩\u200d🚀", '"👩\u200d🚀"'],
  ['say "a"', '"say \\"a\\""'],
])("%j is quoted the same as source and as value", (text, expected) => {
  expect([quoteSource(text), quoteValue(text)]).toEqual([expected, expected]);
});

it("a backslash is kept in source and escaped in a value", () => {
  expect([quoteSource("\\d"), quoteValue("\\d"), quoteValue("\n")]).toEqual(['"\\d"', '"\\\\d"', '"\\n"']);
});
