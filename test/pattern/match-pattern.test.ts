import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchPattern } from "../../src/pattern/match-pattern.js";
import { patternError } from "../../src/pattern/pattern-error.js";
import { runs } from "../runs.js";

const match = (pattern: string, text: string): boolean | undefined =>
  matchPattern(pattern, text, { steps: 1_000_000 });

const atom = fc.constantFrom(
  ..."ab1 _é😀".split(/(?:)/u), ".", "\\d", "\\w", "\\S", "[ab]", "[^a-z]", "[\\d_-]", "\\.", "\\x61", "\\u{1f600}", "\\p{L}", "\\P{L}", "\\t",
); // prettier-ignore
const assertion = fc.constantFrom("^", "$", "\\b", "\\B");
const quantifier = fc.constantFrom(
  "",
  "",
  "*",
  "+",
  "?",
  "{2}",
  "{1,}",
  "{0,2}",
  "*?",
  "+?",
  "{2,3}?",
  "{0}",
);
const { expression } = fc.letrec<{ expression: string; piece: string }>((tie) => ({
  expression: fc
    .array(fc.array(tie("piece"), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((choices) => choices.map((pieces) => pieces.join("")).join("|")),
  piece: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(atom, quantifier).map((parts) => parts.join("")),
    assertion,
    fc
      .tuple(fc.constantFrom("(", "(?:"), tie("expression"), fc.constant(")"), quantifier)
      .map((parts) => parts.join("")),
  ),
}));
const text = fc.string({ unit: fc.constantFrom(..."ab1 _é😀.\n-".split(/(?:)/u)), maxLength: 7 });

describe("matchPattern", () => {
  it("agrees with the engine of the language wherever it answers", () => {
    fc.assert(
      fc.property(expression, text, (pattern, value) => {
        fc.pre(pattern.length <= 120);
        // V8 finds a place that is no word boundary inside such a character.
        fc.pre(!(pattern.includes("\\B") && value.includes("😀")));
        expect(match(pattern, value)).toBe(new RegExp(pattern, "u").test(value));
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ["^[\\w-.]+$", "a-b.c", true],
    ["^[\\w-.]+$", "a b", false],
    ["a\\-b", "a-b", true],
    ["(?<year>\\d{4})", "in 1999", true],
    ["(?P<year>\\d{4})", "in 199", false],
    ["a{", "a{", true],
    ["", "", true],
    ["^(?:){3}$", "", true],
  ])("runs %j on %j", (pattern, value, expected) => {
    expect(match(pattern, value)).toBe(expected);
  });

  it.each([
    "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(a)\\1", "\\k<a>", "(?i)a", "(?>a)", "a++", "\\Aa\\z", "[[:alpha:]]", "[]a]", "[^]a]", "[\\A]",
    "a{,3}", "a{2,1}", "a{99999,}", "(", ")", "[", "*", "\\", "(?:a", `${"(".repeat(60)}a${")".repeat(60)}`, "a".repeat(2001),
  ])("does not answer for %j", (pattern) => {
    expect(match(pattern, "a")).toBeUndefined();
  }); // prettier-ignore

  it("does not answer where the language would split a character in two", () => {
    expect(match("[\\w-.]", "😀")).toBeUndefined();
  });

  it.each([
    ["^(a+)+$", "a".repeat(50_000) + "!", false],
    ["^(a|a)*$", "a".repeat(50_000) + "!", false],
    ["(.*)*(.*)*x", "y".repeat(50_000), false],
    ["^((?:){99999}){99999}$", "", true],
    ["(((a?){9}){9}){9}b", "a".repeat(100), false],
    ["^(?:a?){900}a{900}$", "a".repeat(900), undefined],
  ])("is not held up by %j", (pattern, value, expected) => {
    expect(match(pattern, value)).toBe(expected);
  });

  it("stops answering when its patience is used up", () => {
    const patience = { steps: 40 };
    expect([1, 2, 3].map(() => matchPattern("^a$", "a", patience))).toEqual([true, true, true]);
    expect(matchPattern("^a$", "a", patience)).toBeUndefined();
  });

  it("counts what the engine takes to look up properties of characters", () => {
    const patience = { steps: 2_100 };
    expect(matchPattern("^[\\p{L}1]\\P{L}$", "a1", patience)).toBe(true);
    expect(matchPattern("^[\\p{L}2]$", "a", patience)).toBeUndefined();
    expect(matchPattern("^[a-z2]$", "a", patience)).toBe(true);
  });
});

describe("patternError", () => {
  it("finds no fault with what either mode of the language accepts", () => {
    fc.assert(
      fc.property(expression, (pattern) => {
        expect(patternError(pattern)).toBeUndefined();
      }),
    );
  });

  it("says no more than it knows", () => {
    expect(patternError("(?<1>a)")).toBe("");
    expect(patternError("(?<a>x)|(?<a>y)")).toBeUndefined();
  });

  it.each<[string, string | undefined]>([
    ["(?P<a>x)(?P<a>y)", "two groups have the same name"],
    ["(?P<a>x(?<a>y))", "two groups have the same name"],
    ["(?P<a>x)|(?P<a>y)", undefined],
    ["(?J)(?P<a>x)(?P<a>y)", undefined],
    ["(?P<a>x)(?P<b>y)(?P=a)", undefined],
    ["(?P<1>x)(?P<1>y)", undefined],
    // One group, where a class may begin with a bracket.
    ["(?P<a>[^](]*)", undefined],
    // In .NET the second adds to the first.
    ["(?<a>x)(?<a>y)", undefined],
    ["(?z)a", 'a group that begins with "(?" is not valid'],
    ["(?z:a)", 'a group that begins with "(?" is not valid'],
    ...Array.from("aimsxuLUJnXdRr", (flag): [string, undefined] => [`(?${flag})a`, undefined]),
    ["(?i-s:a)", undefined],
    ["(?<=a)+", "a quantifier has nothing to repeat"],
    ["a|*", "a quantifier has nothing to repeat"],
    ["[z-a", 'a range between "[" and "]" runs backwards'],
    ["[)(]\\)(", 'a "(" is not closed'],
    ["(?:a))", 'a ")" closes nothing'],
    ["a{2,1}", 'the numbers between "{" and "}" run backwards'],
    // Not every engine counts that far.
    ["a{9999999999}", undefined],
    ["(?^i:a)", undefined],
  ])("knows what no dialect takes: %s", (pattern, fault) => {
    expect(patternError(pattern)).toBe(fault);
  });

  it("takes no pattern for a broken one by its length", () => {
    expect(patternError("(a".repeat(1_000) + ")".repeat(1_000))).toBeUndefined();
  });
});
