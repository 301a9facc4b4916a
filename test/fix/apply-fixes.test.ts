import { describe, expect, it } from "vitest";
import type { Diagnostic, Fix } from "../../src/diagnostic.js";
import { readDocument } from "../../src/document/read.js";
import {
  applyFixes,
  type CheckedText,
  type FixOptions,
  withVerifiedFixes,
} from "../../src/fix/apply-fixes.js";
import { few } from "../runs.js";

const range = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** Finds every letter of `bad` among the values of a pack; the rest of a rule's say is made up by the tests. */
function checker(bad: string, fixFor: (letter: string, at: number) => Fix | undefined) {
  return (text: string): CheckedText => {
    const { root } = readDocument(text, "json");
    const kept = [...text.matchAll(/"(\w)":"(\w)"/g)].flatMap(
      ([, key = "", letter = ""], index): Diagnostic[] => {
        if (!bad.includes(letter)) return [];
        const at = [...text.matchAll(/"(\w)":"(\w)"/g)][index]?.index ?? 0;
        const fix = fixFor(letter, at + 5);
        return [
          {
            rule: letter,
            severity: "error",
            message: letter,
            pointer: `/${key}`,
            range,
            ...(fix && { fix }),
          },
        ];
      },
    );
    return { root, kept, suppressed: [], silentRules: [] };
  };
}

/** Finds what the test says. */
function told(findings: (text: string) => readonly Diagnostic[]) {
  return (text: string): CheckedText => ({
    root: readDocument(text, "json").root,
    kept: findings(text),
    suppressed: [],
    silentRules: [],
  });
}

const put = (at: number, text: string): Fix => ({
  description: "",
  edits: [{ start: at, end: at + 1, text }],
});
const all: FixOptions["shouldFix"] = () => true;

function fix(text: string, check: FixOptions["check"], shouldFix = all): string {
  const result = applyFixes(text, check(text), { check, shouldFix });
  expect(result.fixed).toBe(check(text).kept.length - check(result.text).kept.length);
  return result.text;
}

describe("applyFixes", () => {
  it("makes all fixes of a text, and those that they make room for", () => {
    const check = checker("xyz", (letter, at) => put(at, letter === "z" ? "b" : "a"));
    expect(fix('{"a":"x","b":"y","c":"z","d":"c"}', check)).toBe('{"a":"a","b":"a","c":"b","d":"c"}');
  });

  it("leaves out a fix that brings a new finding, and makes the others", () => {
    const check = checker("xyz", (letter, at) => put(at, letter === "y" ? "z" : "a"));
    expect(fix('{"a":"x","b":"y","c":"z"}', check)).toBe('{"a":"a","b":"y","c":"a"}');
  });

  it("leaves out a fix that does not fix", () => {
    const check = checker("x", (_, at) => ({ description: "", edits: [{ start: at, end: at, text: "" }] }));
    expect(fix('{"a":"x"}', check)).toBe('{"a":"x"}');
  });

  it("leaves out a fix that changes what its finding does not name", () => {
    const text = '{"a":"x","b":"c"}';
    const check = checker("x", () => ({
      description: "",
      edits: [{ start: 6, end: 15, text: 'a","b":"d' }],
    }));
    expect(fix(text, check)).toBe(text);
  });

  it("leaves out a fix that takes away another finding of its place instead", () => {
    const check = told((text) => {
      const other = { rule: "x", severity: "error", message: "other", pointer: "/a", range } as const;
      return [{ ...other, message: "x", fix: put(6, "y") }, ...(text.includes("x") ? [other] : [])];
    });
    expect(fix('{"a":"x"}', check)).toBe('{"a":"x"}');
  });

  it.each([
    ["leaves out", "moves another finding elsewhere", "same", "/c", "x"],
    ["makes", "changes the words of another finding", "x", "/b", "a"],
  ])("%s a fix that %s", (_, __, message, pointer, value) => {
    const other = { rule: "x", severity: "error", message: "same", pointer: "/b", range } as const;
    const check = told((text) =>
      text.includes("x")
        ? [{ ...other, message: "x", pointer: "/a", fix: put(6, "a") }, other]
        : [{ ...other, message, pointer }],
    );
    expect(fix('{"a":"x","b":"y","c":"y"}', check)).toBe(`{"a":"${value}","b":"y","c":"y"}`);
  });

  it("leaves out a fix that makes another one certain", () => {
    const guess = (at: number): Fix => ({ ...put(at, "a"), unsafe: true });
    const check = (text: string) =>
      checker("xy", (_, at) => (text.includes("x") ? guess(at) : put(at, "a")))(text);
    expect(fix('{"a":"x","b":"y"}', check, ({ rule }) => rule === "x")).toBe('{"a":"x","b":"y"}');
  });

  it("leaves out a fix that breaks the file", () => {
    const check = checker("x", (_, at) => put(at, '"'));
    expect(fix('{"a":"x"}', check)).toBe('{"a":"x"}');
  });

  it("makes fixes that overlap one after the other", () => {
    const text = '{"a":"x","b":"y"}';
    // The first fix writes the other value again as it stands.
    const again = (at: number): Fix => ({
      description: "",
      edits: [{ start: at, end: at + 7, text: `a${text.slice(at + 1, at + 7)}` }],
    });
    const check = checker("xy", (letter, at) => (letter === "x" ? again(at) : put(at, "b")));
    expect(fix(text, check)).toBe('{"a":"a","b":"b"}');
  });

  it("makes only those that are wanted", () => {
    const check = checker("xy", (letter, at) => ({
      ...put(at, "a"),
      ...(letter === "y" && { unsafe: true }),
    }));
    const safe: FixOptions["shouldFix"] = ({ fix: { unsafe } }) => unsafe !== true;
    expect(fix('{"a":"x","b":"y"}', check, safe)).toBe('{"a":"a","b":"y"}');
  });

  it("gives up after so many tries", () => {
    let tries = 0;
    const inner = checker("xyz", (_, at) => put(at, "z"));
    const check = (text: string) => (tries++, inner(text));
    const text = `{${Array.from({ length: 26 }, (_, i) => `"${String.fromCharCode(97 + i)}":"x"`).join(",")}}`;
    const result = applyFixes(text, check(text), { check, shouldFix: all, maxTrials: 7 });
    expect({ tries, text: result.text }).toEqual({ tries: 8, text });
  });
});

it("soundOffers takes away the fixes that would not be made", () => {
  const check = checker("xyz", (letter, at) => put(at, letter === "y" ? "z" : "a"));
  const text = '{"a":"x","b":"y","c":"z"}';
  const offers = withVerifiedFixes(text, check(text), check);
  expect(offers.map(({ rule, fix: offered }) => [rule, offered !== undefined])).toEqual([
    ["x", true],
    ["y", false],
    ["z", true],
  ]);
});

it.each(
  few(
    [
      [10, 40],
      [500, 26],
    ],
    1,
  ),
)("soundOffers asks less often of a file with %i findings", (findings, most) => {
  let tries = 0;
  const useless = checker("x", (_, at) => put(at, "x"));
  const check = (given: string) => {
    tries++;
    return useless(given);
  };
  const text = `{${'"a":"x",'.repeat(findings)}"b":"y"}`;
  withVerifiedFixes(text, useless(text), check);
  expect(tries).toBeLessThanOrEqual(most);
  expect(tries).toBeGreaterThan(5);
});
