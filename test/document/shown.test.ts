import { expect, it } from "vitest";
import { quoted, shown } from "../../src/document/shown.js";

it.each([
  ["a".repeat(40), `"${"a".repeat(40)}"`],
  ["a".repeat(41), `"${"a".repeat(40)}…"`],
  ["😀".repeat(41), `"${"😀".repeat(40)}…"`],
  ["a\u00a0b\u00ad\u061c\u202e", '"a\\u00a0b\\u00ad\\u061c\\u202e"'],
  ["\u{e0001}", '"\\u{e0001}"'],
  ["👩\u200d🚀", '"👩\u200d🚀"'],
  ['say "a"', '"say \\"a\\""'],
])("%j is shown alike as it is written and as it is read", (text, expected) => {
  expect([shown(text), quoted(text)]).toEqual([expected, expected]);
});

it("a backslash is kept as it is written, and told from an escape in what is read", () => {
  expect([shown("\\d"), quoted("\\d"), quoted("\n")]).toEqual(['"\\d"', '"\\\\d"', '"\\n"']);
});
