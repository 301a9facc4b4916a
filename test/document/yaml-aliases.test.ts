import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { placeOf, toValue } from "../../src/document/node.js";
import { readYaml } from "../../src/document/yaml/read-yaml.js";
import { faultsOf, keyAt, nodeAt, scalarsOf, where } from "./nodes-of.js";

const read = (text: string, limits = {}) => readYaml(text, { ...defaultLimits, ...limits });
const valueOf = (text: string): unknown => {
  const document = read(text);
  expect(faultsOf(document)).toEqual([]);
  return JSON.parse(JSON.stringify(toValue(nodeAt(document, ""))));
};

describe("aliases", () => {
  const text = "a: &x\n  b: [1, two]\nc: *x\nd: &y three\ne: [*y, *x]\n*y : f\n";

  it("copy what they repeat", () => {
    const x = { b: [1, "two"] };
    expect(valueOf(text)).toEqual({ a: x, c: x, d: "three", e: ["three", x], three: "f" });
  });

  it("are placed at the alias, and their children where they are written", () => {
    const document = read(text);
    const at = (pointer: string) => where(document, nodeAt(document, pointer));
    expect(at("/c")).toBe("3:4-3:6");
    expect(where(document, placeOf(nodeAt(document, "/e/1")))).toBe("5:9-5:11");
    expect(at("/c/b")).toBe("2:6-2:14");
    expect(at("/c/b/1")).toBe("2:10-2:13");
    expect(where(document, keyAt(document, "/e/1/b"))).toBe("2:3-2:4");
    expect(at("/e/0")).toBe("5:5-5:7");
    expect(where(document, keyAt(document, "/three"))).toBe("6:1-6:3");
    const scalar = scalarsOf(document).find((node) => node.pointer === "/e/0");
    expect(scalar && where(document, document.placeWithin(scalar, 1, 3))).toBe("4:8-4:10");
  });

  it("take the latest anchor of their name", () => {
    expect(valueOf("a: &x 1\nb: *x\nc: &x 2\nd: *x\n&x k: *x")).toEqual({ a: 1, b: 1, c: 2, d: 2, k: "k" });
  });

  it("take the anchor that began last, even where it is inside another of its name", () => {
    expect(valueOf("a: &x { b: &x 1 }\nc: *x")).toEqual({ a: { b: 1 }, c: 1 });
  });

  const faults: [string, string][] = [
    ["a: *x", '1:4-1:6 The alias "*x" has no anchor "&x" before it.'],
    [
      "a: &note 1\nb: *notes",
      '2:4-2:10 The alias "*notes" has no anchor "&notes" before it. Did you mean "&note"?',
    ],
    ["a: &note { b: *notes }", '1:15-1:21 The alias "*notes" has no anchor "&notes" before it.'],
    [
      "a: **b**\nc: &d 1",
      '1:4-1:9 The alias "**b**" has no anchor "&*b**" before it; put text that starts with "*" in quotes.',
    ],
    [
      "a: *b*",
      '1:4-1:7 The alias "*b*" has no anchor "&b*" before it; put text that starts with "*" in quotes.',
    ],
    ["a: *\u00fcber", '1:4-1:9 The alias "*\u00fcber" has no anchor "&\u00fcber" before it.'],
    ["a: *x\nb: &x 1", '1:4-1:6 The alias "*x" has no anchor "&x" before it.'],
    ["a: &x [1, *x]", '1:11-1:13 The alias "*x" is inside the value it refers to, which would never end.'],
    ["&x a: &x\n  b: *x", '2:6-2:8 The alias "*x" is inside the value it refers to, which would never end.'],
    ["a: &x {b: 1}\n*x : 2", '2:1-2:3 The alias "*x" refers to a mapping, which cannot be a key.'],
    ["a: &x [b]\n*x : 2", '2:1-2:3 The alias "*x" refers to a list, which cannot be a key.'],
  ];
  it.each(faults)("refuse %j", (source, fault) => {
    const document = read(source);
    expect(faultsOf(document)).toEqual([fault]);
    expect(document.root).toBeUndefined();
  });

  it("are refused once for each anchor that is missing", () => {
    const document = read("a: *x\nb: {<<: *y, c: 1}\n*z : [*x]\nd: *x\n");
    expect(faultsOf(document)).toEqual([
      '1:4-1:6 The alias "*x" has no anchor "&x" before it.',
      '2:9-2:11 The alias "*y" has no anchor "&y" before it.',
      '3:1-3:3 The alias "*z" has no anchor "&z" before it.',
    ]);
    const others = document.faults.map(({ related = [] }) =>
      related.map(({ at, message }) => `${where(document, at)} ${message}`),
    );
    expect(others).toEqual([["3:7-3:9 also used here", "4:4-4:6 also used here"], [], []]);
    const names = Array.from({ length: 50 }, (_, index) => `- *x${index}\n`);
    expect(faultsOf(read(names.join("")))).toHaveLength(20);
    expect(read("- *x\n".repeat(5_000)).faults[0]?.related).toHaveLength(20);
    expect(faultsOf(read("a: *x\nb: &y [*y]\n"))).toHaveLength(2);
  });

  it("count what they add", () => {
    const source = "a: &x [1, 2]\nb: *x\nc: *x\n";
    expect(faultsOf(read(source, { maxAliasNodes: 6 }))).toEqual([]);
    expect(faultsOf(read(source, { maxAliasNodes: 5 }))).toEqual([
      "3:4-3:6 Aliases and merge keys add more than 5 values.",
    ]);
  });

  it("count towards the depth", () => {
    const source = "a: &x [[1]]\nb: [*x]\n";
    expect(faultsOf(read(source, { maxDepth: 4 }))).toEqual([]);
    expect(faultsOf(read(source, { maxDepth: 3 }))).toEqual([
      "2:5-2:6 The values are nested more than 3 levels deep.",
    ]);
  });
});

describe("merge keys", () => {
  const base = "base: &b {p: 1, q: {r: 2}}\nmore: &m {q: 3, s: 4}\n";

  it("add the entries of an alias, a mapping, or a list of them", () => {
    const document = read(
      `${base}x: {<<: *b, q: 5}\ny: {t: 0, <<: [*m, *b], u: 9}\nz:\n  <<: {v: 6}\n  w: 7\n`,
    );
    expect(JSON.parse(JSON.stringify(toValue(nodeAt(document, ""))))).toMatchObject({
      x: { p: 1, q: 5 },
      y: { t: 0, q: 3, s: 4, p: 1, u: 9 },
      z: { v: 6, w: 7 },
    });
    const y = nodeAt(document, "/y");
    expect(y.kind === "mapping" && y.entries.map((entry) => entry.key.text)).toEqual([
      "t",
      "q",
      "s",
      "p",
      "u",
    ]);
    expect(where(document, nodeAt(document, "/y/p"))).toBe("1:14-1:15");
    expect(where(document, keyAt(document, "/y/s"))).toBe("2:17-2:18");
    expect(where(document, placeOf(nodeAt(document, "/z")))).toBe("5:1-5:2");
    expect(document.duplicateKeys).toEqual([]);
  });

  it("point at the merge key where the mapping has no key of its own", () => {
    const document = read(`${base}l:\n  - <<: *b\n    w: 1\n`);
    expect(where(document, placeOf(nodeAt(document, "/l/0")))).toBe("4:5-4:7");
    expect(nodeAt(document, "/l/0/q/r").pointer).toBe("/l/0/q/r");
  });

  it("are reported if they are repeated, and the last one counts", () => {
    const document = read(`${base}x:\n  <<: *b\n  <<: *m\n`);
    expect(JSON.parse(JSON.stringify(toValue(nodeAt(document, "/x"))))).toEqual({ q: 3, s: 4 });
    expect(document.duplicateKeys.map(({ second }) => [second.pointer, where(document, second)])).toEqual([
      ["/x/<<", "5:3-5:5"],
    ]);
  });

  it("are keys like any other in quotes", () => {
    expect(valueOf('"<<": {a: 1}')).toEqual({ "<<": { a: 1 } });
    expect(valueOf("!!str <<: 1")).toEqual({ "<<": 1 });
    expect(valueOf("!!merge <<: {a: 1}")).toEqual({ a: 1 });
  });

  const takes = 'The merge key "<<" takes a mapping or a list of mappings, found';
  const asKey = 'write an alias such as "*base", or put "<<" in quotes if it is a key like any other.';
  it.each([
    ["<<: 1", `1:1-1:3 ${takes} 1; ${asKey}`],
    ["<<:", `1:1-1:3 ${takes} nothing (null); ${asKey}`],
    ["<<: [{a: 1}, two]", `1:1-1:3 ${takes} "two"; ${asKey}`],
    ["<<: [[]]", `1:1-1:3 ${takes} a list; ${asKey}`],
    ["a: &x {}\nb: {<<: x}", `2:5-2:7 ${takes} "x"; ${asKey}`],
    ['a: &x {}\nb: {<<: "*x"}', `2:5-2:7 ${takes} "*x"; ${asKey}`],
    ["a: &x\nb: {<<: *x}", `2:5-2:7 ${takes} nothing (null); ${asKey}`],
    ["a: &x one\nb: {<<: [{}, *x]}", `2:5-2:7 ${takes} "one"; ${asKey}`],
    ["a: &x 1\nb: {<<: x}", `2:5-2:7 ${takes} "x"; ${asKey}`],
  ])("refuse %j", (source, fault) => {
    expect(faultsOf(read(source))).toEqual([fault]);
  });
});
