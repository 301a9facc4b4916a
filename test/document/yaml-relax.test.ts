import { describe, expect, it } from "vitest";
import { toValue } from "../../src/document/node.js";
import { readDocument } from "../../src/document/read.js";
import { faultsOf, nodesOf, where } from "./nodes-of.js";

/** A text, its value, and the place of each node in it. */
const cases: [string, unknown, string[]][] = [
  ["a: {\n  b: 1\n}\nc: 2\n", { a: { b: 1 }, c: 2 }, ["1:1-4:5", "1:4-3:2", "4:4-4:5", "2:6-2:7"]],
  [
    'p:\n  a: {\n    x: "y # z" # it\'s } [\n\n    # more\n  }\n  b: 1\n',
    { p: { a: { x: "y # z" }, b: 1 } },
    ["1:1-7:7", "2:3-7:7", "2:6-6:4", "7:6-7:7", "3:8-3:15"],
  ],
  [
    "x:\n  - a: [\n      1\n    ]\n",
    { x: [{ a: [1] }] },
    ["1:1-4:6", "2:3-4:6", "2:5-4:6", "2:8-4:6", "3:7-3:8"],
  ],
  [
    "a:\r\n  b: {\r\n    c: d\r\n  }\r\n",
    { a: { b: { c: "d" } } },
    ["1:1-4:4", "2:3-4:4", "2:6-4:4", "3:8-3:9"],
  ],
  ["a:\t{ b:\t1 }\n", { a: { b: 1 } }, ["1:1-1:12", "1:4-1:12", "1:9-1:10"]],
  ['a: {"x\ty":\t{b: 1}}\n', { a: { "x\ty": { b: 1 } } }, ["1:1-1:19", "1:4-1:19", "1:12-1:18", "1:16-1:17"]],
  // The same characters inside text stay.
  [
    "a: |\n  x [\n  ]\nb: [\n  1\n]\nc: 'd [\n  ]'\n",
    { a: "x [\n]\n", b: [1], c: "d [ ]" },
    ["1:1-8:5", "1:4-3:4", "4:4-6:2", "7:4-8:5", "5:3-5:4"],
  ],
];

describe("parseLeniently", () => {
  it.each(cases)("reads %j where libyaml does", (text, value, places) => {
    const document = readDocument(text, "yaml");
    expect(faultsOf(document)).toEqual([]);
    expect(document.root && toValue(document.root)).toEqual(value);
    expect(nodesOf(document).map((node) => where(document, node))).toEqual(places);
  });

  it("keeps comments, also those before a closing bracket", () => {
    const { comments } = readDocument("a: {\n  b: 1 # x\n} # promptpack-disable\n", "yaml");
    expect(comments.map(({ text, start }) => [text, start])).toEqual([
      ["# x", 12],
      ["# promptpack-disable", 18],
    ]);
  });
});
