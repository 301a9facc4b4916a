import fc from "fast-check";
import ignore from "ignore";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { compileGlob, isGlob } from "../../src/cli/files/glob.js";
import { IgnoreList } from "../../src/cli/files/ignore-files.js";
import { runs } from "../runs.js";

const shell = { dot: false, braces: true };

describe("compileGlob", () => {
  it.each([
    ["*.json", "a.json", true],
    ["*.json", "x/a.json", false],
    ["*.json", ".a.json", false],
    [".*.json", ".a.json", true],
    ["**/*.json", "a.json", true],
    ["**/*.json", "x/y/a.json", true],
    ["**/*.json", "x/.y/a.json", false],
    ["x/**", "x/y/z", true],
    ["x/**", "y/x/z", false],
    ["x/**/z", "x/z", true],
    ["x/**/z", "x/a/b/z", true],
    ["{a,b}.{json,yaml}", "b.yaml", true],
    ["{a,b}.{json,yaml}", "c.yaml", false],
    ["{a/b,c}/d", "a/b/d", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["[!a-c]x", "dx", true],
    ["[]]x", "]x", true],
    ["v[[:digit:]]", "v1", true],
    ["v[[:digit:]]", "vd", false],
    ["v[![:digit:]]", "v1", false],
    ["v[a[:upper:]_]", "vB", true],
    ["v[a[:upper:]_]", "v_", true],
    ["v[a[:upper:]_]", "vu", false],
    ["***/z", "a/b/z", true],
    ["[ax", "[ax", true],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["./a/*", "a/b", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(compileGlob(pattern, shell)(path)).toBe(expected);
  });

  it("agrees with picomatch on names without dots", () => {
    const name = fc.stringMatching(/^[abc]{1,3}$/);
    const piece = fc.oneof(fc.constantFrom("*", "?", "a", "b", "[ab]", "[^c]"), name);
    const segment = fc.oneof(
      { weight: 1, arbitrary: fc.constant("**") },
      {
        weight: 4,
        arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")),
      },
    );
    const pattern = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join("/"))
      .filter((text) => !/\*\*.*\/\*\*|[^/]\*\*|\*\*[^/]/.test(text) && !text.endsWith("**"));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
    fc.assert(
      fc.property(pattern, path, (glob, candidate) => {
        expect(compileGlob(glob, shell)(candidate)).toBe(
          picomatch.isMatch(candidate, glob, { nonegate: true }),
        );
      }),
      { numRuns: runs(1000) },
    );
  });

  it("answers a pattern made to keep a backtracking matcher busy", () => {
    const matches = compileGlob(`${"*a".repeat(60)}b`, shell);
    expect(matches("a".repeat(250))).toBe(false);
    expect(compileGlob(`${"**/a/".repeat(60)}b`, shell)("a/".repeat(250) + "c")).toBe(false);
    expect(compileGlob("{a,b}".repeat(40), shell)("x")).toBe(false);
  });
});

describe("isGlob", () => {
  it.each([
    ["*.json", true],
    ["a?.json", true],
    ["[ab].json", true],
    ["{a,b}.json", true],
    ["a.json", false],
    ["{a}.json", false],
    ["a[.json", false],
  ])("%s: %s", (text, expected) => {
    expect(isGlob(text)).toBe(expected);
  });
});

describe("IgnoreList", () => {
  it("agrees with the ignore package", () => {
    const name = fc.constantFrom("a", "b", "ab", "a.json", ".a");
    const piece = fc.constantFrom("a", "b", "*", "?", "*.json", "**", ".a", "[ab]");
    const line = fc
      .tuple(fc.boolean(), fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(
        ([not, tied, parts, folder]) =>
          `${not ? "!" : ""}${tied ? "/" : ""}${parts.join("/")}${folder ? "/" : ""}`,
      )
      .filter((text) => !/\*\*\/\*\*/.test(text));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), path, (lines, candidate) => {
        const expected = ignore({ ignorecase: false }).add(lines).ignores(candidate);
        expect(new IgnoreList(lines).ignores(candidate)).toBe(expected);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("leaves out comments and blank lines, and keeps escaped characters", () => {
    const list = new IgnoreList(["# a", "", "   ", "\\#b", "\\!c", "d\\ ", "e  \r"]);
    expect(["# a", "#b", "!c", "d ", "e", "x"].filter((path) => list.ignores(path))).toEqual([
      "#b",
      "!c",
      "d ",
      "e",
    ]);
  });
});
