import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeInvisible, formatJson } from "../../src/text/escape.js";

describe("visible", () => {
  it.each([
    ["plain text, ünïcode, 日本語, 👩‍👩‍👧", "plain text, ünïcode, 日本語, 👩‍👩‍👧"],
    ["\u001b[31m", "\\u001b[31m"],
    ["a\nb\rc\td", "a\\nb\\rc\\td"],
    ["\u0000\u007f\u009b", "\\u0000\\u007f\\u009b"],
    ["\u202eevil\u2069", "\\u202eevil\\u2069"],
    ["\ud800x\udc00", "\\ud800x\\udc00"],
    ["\u{10000}", "\u{10000}"],
    ["\u2028\u2029\u200b\ufeff", "\\u2028\\u2029\\u200b\\ufeff"],
    ["\u{e0041}", "\\u{e0041}"],
    ["end\u{e0100}", "end\\u{e0100}"],
    ["end\ufe0f \u180b", "end\\ufe0f \\u180b"],
    ["葛\u{e0100}城 ☎\ufe0e ❤\ufe0f ᠭ\u180b", "葛\u{e0100}城 ☎\ufe0e ❤\ufe0f ᠭ\u180b"],
    ["\u{1bca0}\u{1d173}", "\\u{1bca0}\\u{1d173}"],
    ["\u034f\u115f\u1160\u17b4\u180b\u3164\uffa0", "\\u034f\\u115f\\u1160\\u17b4\\u180b\\u3164\\uffa0"],
    ["👍🏽 ❤️ 🇩🇪 1️⃣ #️⃣", "👍🏽 ❤️ 🇩🇪 1️⃣ #️⃣"],
    ["🧑🏽\u200d🚀 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈", "🧑🏽\u200d🚀 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["क्\u200dष ന്\u200d র\u200d্যাব क्\u200cष", "क्\u200dष ന്\u200d র\u200d্যাব क्\u200cष"],
    ["or\u200cder or\u200dder", "or\\u200cder or\\u200dder"],
    ["न\u200c سلام\u200c \u200cسلام س\u200dلام", "न\\u200c سلام\\u200c \\u200cسلام س\\u200dلام"],
    ["👩\u200d \u200d👩 👩\u200dx", "👩\\u200d \\u200d👩 👩\\u200dx"],
    ["1\ufe0f 2\ufe0e a\ufe0f #\ufe0f ❤\ufe0f\ufe0f", "1\\ufe0f 2\\ufe0e a\\ufe0f #\\ufe0f ❤\ufe0f\\ufe0f"],
    ["a\u2800b\ufffcc\u{1d159}", "a\\u2800b\\ufffcc\\u{1d159}"],
  ])("%j is shown as %j", (text, shown) => {
    expect(escapeInvisible(text)).toBe(shown);
  });

  it("leaves nothing to escape", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeInvisible(escapeInvisible(text))).toBe(escapeInvisible(text));
      }),
    );
  });
});

describe("jsonText", () => {
  it("means what it was given, without a character that is not seen", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = formatJson(value);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
        expect(escapeInvisible(text.replaceAll("\n", ""))).toBe(text.replaceAll("\n", ""));
      }),
    );
    expect(formatJson({ "\u009b": "\u202e\u{e0041}" })).toBe('{\n  "\\u009b": "\\u202e\\udb40\\udc41"\n}\n');
  });
});
