import { describe, expect, it } from "vitest";
import { textWidth, wrapText } from "../../src/text/terminal-text.js";

describe("textWidth", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["naïve", 5],
    ["nai\u0308ve", 5],
    ["日本語", 6],
    ["ｆｕｌｌ", 8],
    ["한국어", 6],
    ["🚀", 2],
    ["👩‍👩‍👧", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["→ … │ ✖", 7],
  ])("%j takes %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe("wrapText", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 80, ["one two three"]],
    ["abcdefghij k", 4, ["abcd", "efgh", "ij k"]],
    ["日本語 日本", 5, ["日本", "語", "日本"]],
    ["a  b", 10, ["a  b"]],
    ["", 10, [""]],
    ["ab", 0, ["a", "b"]],
  ])("%j in %i columns", (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });

  it("breaks a very long word", () => {
    expect(wrapText("x".repeat(500_000), 1)).toHaveLength(500_000);
  });
});
