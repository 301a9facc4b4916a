import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineMap } from "../../src/document/scan-text.js";
import { excerpt } from "../../src/reporters/pretty.js";
import { textWidth } from "../../src/text/terminal-text.js";

/** The two lines a person sees; `[` and `]` in the source are the range. */
function shown(marked: string, width: number): string[] {
  const start = marked.indexOf("[");
  const end = marked.indexOf("]") - 1;
  const lines = new LineMap(marked.replace("[", "").replace("]", ""));
  const found = excerpt(lines, lines.range(start, end), width);
  if (found === undefined) return [];
  return [found.text, " ".repeat(found.markStart) + "^".repeat(found.markWidth)];
}

describe("excerpt", () => {
  it.each([
    ["a: [b]", 80, ["a: b", "   ^"]],
    ["\ta: [b]", 80, ["    a: b", "       ^"]],
    ["日本: [語🚀]!", 80, ["日本: 語🚀!", "      ^^^^"]],
    ["a\u0301: [e\u0301x]", 80, ["a\u0301: e\u0301x", "   ^^"]],
    ["\u001b[31m]", 80, ["\\u001b31m", "      ^^^"]],
    ["a: [one\ntwo]", 80, ["a: one", "   ^^^"]],
    ["abc[]", 80, ["abc", "   ^"]],
    ["a[]bc", 80, ["abc", " ^"]],
    ["[]", 80, ["", "^"]],
    ["0123456789 [abc] 0123456789", 13, ["…789 abc 012…", "     ^^^"]],
    ["[abc] 0123456789", 8, ["abc 012…", "^^^"]],
    ["0123456789 [abc]", 8, ["…789 abc", "     ^^^"]],
    ["0123456789 [abcdefghijklmnop] 0", 8, ["…abcdef…", " ^^^^^^"]],
    ["0123456789[]", 8, ["…456789", "       ^"]],
  ])("%j in %i columns", (marked, width, lines) => {
    expect(shown(marked, width)).toEqual(lines);
  });

  it("cuts no emoji in two", () => {
    const lines = new LineMap("👩‍👧日\ud800a\ud800");
    expect(excerpt(lines, lines.range(9, 9), 17)?.text).toBe("…日\\ud800a\\ud800");
  });

  it("is absent for a line that does not exist", () => {
    const place = { line: 7, column: 1 };
    expect(excerpt(new LineMap("a"), { start: place, end: place }, 80)).toBeUndefined();
  });

  it("fits into its columns and underlines what is shown", () => {
    const unit = fc.constantFrom("a", " ", "日", "🚀", "\u0301", "\t", "👩‍👧", "\u0007", "\ud800");
    const source = fc.string({ unit, maxLength: 120 });
    fc.assert(
      fc.property(source, fc.nat(120), fc.nat(120), fc.integer({ min: 12, max: 60 }), (text, a, b, width) => {
        const lines = new LineMap(text);
        const [start, end] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)];
        const found = excerpt(lines, lines.range(start, end), width);
        expect(found).toBeDefined();
        if (found === undefined) return;
        expect(textWidth(found.text)).toBeLessThanOrEqual(width);
        expect(found.markStart + found.markWidth).toBeLessThanOrEqual(width + 1);
      }),
    );
  });

  it("underlines exactly the range's own text when the line fits", () => {
    const unit = fc.constantFrom("a", "b", "日", "🚀", "é");
    const word = fc.string({ unit, maxLength: 12 });
    fc.assert(
      fc.property(word, fc.string({ unit, minLength: 1, maxLength: 12 }), word, (before, marked, after) => {
        const lines = new LineMap(before + marked + after);
        const range = lines.range(before.length, before.length + marked.length);
        const found = excerpt(lines, range, 80);
        expect(found?.text).toBe(before + marked + after);
        expect(found?.markStart).toBe(textWidth(before));
        expect(found?.markWidth).toBe(textWidth(marked));
      }),
    );
  });
});
