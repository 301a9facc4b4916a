import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { fromHereUp } from "../../src/cli/files/paths.js";
import { compileGlob, globFault, isGlob } from "../../src/cli/files/glob.js";
import { IgnoreFiles, ignoreTest } from "../../src/cli/files/setting-files.js";
import { runs } from "../runs.js";
import { folderOf } from "./harness.js";

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
    ["[ax", "[ax", true],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["./a/*", "a/b", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(compileGlob(pattern, false)(path)).toBe(expected);
  });

  it("matches names with a dot only when asked to", () => {
    expect(compileGlob("**/*", true)(".a/b")).toBe(true);
    expect(compileGlob("**/*", false)(".a/b")).toBe(false);
  });
});

describe("globFault", () => {
  it.each([
    ["**/*draft*.pack.*", undefined],
    ["{packs,drafts}/**/*-v*.{json,yaml,yml}", undefined],
    ["a/**/b/**/c/**", undefined],
    ["*a*b*c*d", 'has too many "*": split it into simpler patterns'],
    ["{*a,b}*c{*d*,e}", 'has too many "*": split it into simpler patterns'],
    ["**/a/**/b/**/c", 'has too many "**": split it into simpler patterns'],
    ["{a,b}".repeat(7), "has too many alternatives in braces: split it into simpler patterns"],
    ["a".repeat(1001), "has more than 1000 characters"],
  ])("%s: %s", (pattern, fault) => {
    expect(globFault(pattern)).toBe(fault);
  });

  it("leaves only patterns that are matched quickly", () => {
    const name = "a".repeat(249);
    const hostile = [name, `${name}/${name}`, "a/".repeat(450) + "c", `${name}/`.repeat(3) + name];
    const piece = fc.constantFrom(
      "*",
      "**",
      "**/",
      "*a",
      "*a*",
      "?",
      "a",
      "/",
      "{a,aa}",
      "[a-z]",
      "{*,b/}",
      "(a+)+",
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => `${pieces.join("")}b`);
    fc.assert(
      fc.property(pattern, (glob) => {
        const start = performance.now();
        const matches = compileGlob(glob, true);
        for (const path of hostile) matches(path);
        expect(performance.now() - start).toBeLessThan(5_000);
      }),
      { numRuns: runs(300) },
    );
  }, 120_000);
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

describe("ignoreTest", () => {
  it("leaves out comments and blank lines, and keeps escaped characters", () => {
    const isIgnored = ignoreTest(["# a", "", "   ", "\\#b", "\\!c", "d\\ ", "e  \r"]);
    expect(["# a", "#b", "!c", "d ", "e", "x"].filter(isIgnored)).toEqual(["#b", "!c", "d ", "e"]);
  });
});

describe("IgnoreFiles", () => {
  it("lets the nearest ignore file decide", () => {
    const root = folderOf({
      ".gitignore": "*.log\nbuild\n/top\n",
      "x/.gitignore": "!keep.log\n!build\n/own\nsub/deep\n# comment\n\n!\n\\#odd\n",
      "x [y]/.gitignore": "secret/  \n",
    });
    const files = new IgnoreFiles(".gitignore", root);
    const by = (path: string) =>
      files.ignoredBy(join(root, path), path.endsWith("/"))?.slice(root.length + 1);
    expect(by("a.log")).toBe(".gitignore");
    expect(by("x/a.log")).toBe(".gitignore");
    expect(by("x/keep.log")).toBeUndefined();
    expect(by("x/y/keep.log")).toBeUndefined();
    expect(by("build/a")).toBe(".gitignore");
    expect(by("x/build/")).toBeUndefined();
    expect(by("x/build/a")).toBeUndefined();
    expect(by("x/own")).toBe("x/.gitignore");
    expect(by("x/y/own")).toBeUndefined();
    expect(by("x/sub/deep/a")).toBe("x/.gitignore");
    expect(by("x/z/#odd")).toBe("x/.gitignore");
    expect(by("x [y]/a/secret/")).toBe("x [y]/.gitignore");
    expect(by("x [y]/a/secret")).toBeUndefined();
    expect(by("x y/secret/")).toBeUndefined();
    expect(by("x/top")).toBeUndefined();
    expect(files.hasIgnored).toBe(true);
  });
});

it("finds the folders above a name in git's index, which may be deeper than a disk allows", () => {
  expect(fromHereUp("/a".repeat(100_000))).toHaveLength(100_001);
});
