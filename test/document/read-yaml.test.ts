import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { placeOf, toValue } from "../../src/document/node.js";
import { readYaml } from "../../src/document/yaml/read-yaml.js";
import { faultsOf, keyAt, nodeAt, nodesOf, where } from "./nodes-of.js";

const read = (text: string) => readYaml(text, defaultLimits);
const places = (text: string) => {
  const document = read(text);
  return Object.fromEntries(nodesOf(document).map((node) => [node.pointer, where(document, node)]));
};
const valueOf = (text: string): unknown => {
  const document = read(text);
  expect(faultsOf(document)).toEqual([]);
  return JSON.parse(JSON.stringify(toValue(nodeAt(document, ""))));
};

describe("readYaml: places", () => {
  it("of block collections", () => {
    expect(places("a:\n  b: x y\n  c:\n    - 1\n    - d: 2\n# end\ne: z\n")).toEqual({
      "": "1:1-7:5",
      "/a": "2:3-5:11",
      "/e": "7:4-7:5",
      "/a/b": "2:6-2:9",
      "/a/c": "4:5-5:11",
      "/a/c/0": "4:7-4:8",
      "/a/c/1": "5:7-5:11",
      "/a/c/1/d": "5:10-5:11",
    });
  });

  it("of flow collections", () => {
    expect(places("a: {b: 1, \"c\":[x, 'y' , ] } # end\nd: [k: v, {}]")).toEqual({
      "": "1:1-2:14",
      "/a": "1:4-1:28",
      "/d": "2:4-2:14",
      "/a/b": "1:8-1:9",
      "/a/c": "1:15-1:26",
      "/a/c/0": "1:16-1:17",
      "/a/c/1": "1:19-1:22",
      "/d/0": "2:5-2:9",
      "/d/1": "2:11-2:13",
      "/d/0/k": "2:8-2:9",
    });
  });

  it("of values that are not there", () => {
    expect(places("a:\nb: # none\nc: {d: , e, f}\ng:\n-\n- !!str\n- x\n? h\ni: &n\n")).toEqual({
      "": "1:1-9:6",
      "/a": "1:3-1:3",
      "/b": "2:3-2:3",
      "/c": "3:4-3:15",
      "/g": "5:1-7:4",
      "/h": "8:4-8:4",
      "/i": "9:6-9:6",
      "/c/d": "3:7-3:7",
      "/c/e": "3:11-3:11",
      "/c/f": "3:14-3:14",
      "/g/0": "5:2-5:2",
      "/g/1": "6:8-6:8",
      "/g/2": "7:3-7:4",
    });
  });

  it("of every style of scalar, through CRLF, lone CR and wide characters", () => {
    expect(
      places(
        "é😀: 'é😀'\r\nb: |- # note | here\r  x\r\n\r\n   y \r\n\r\nc: >\n\n  z\nd: \"p\n  q\"\ne: r\n  s\nf: !!str &a 1\ng: |\n",
      ),
    ).toEqual({
      "": "1:1-15:5",
      "/é😀": "1:6-1:11",
      "/b": "2:4-5:6",
      "/c": "7:4-9:4",
      "/d": "10:4-11:5",
      "/e": "12:4-13:4",
      "/f": "14:13-14:14",
      "/g": "15:4-15:5",
    });
  });

  it("of keys, and of collections shown by their key or head", () => {
    const document = read("\"a b\": 1\n'c': {}\n? |\n  d\n: x\n&k e: [[], 1]\n!!str f:\n  - - g: 1\n");
    const keys = ["/a b", "/c", "/d\n", "/e", "/f"].map((pointer) =>
      where(document, keyAt(document, pointer)),
    );
    expect(keys).toEqual(["1:1-1:6", "2:1-2:4", "3:3-4:4", "6:4-6:5", "7:7-7:8"]);
    const heads = ["", "/e/0", "/f", "/f/0", "/f/0/0"].map((pointer) =>
      where(document, placeOf(nodeAt(document, pointer))),
    );
    expect(heads).toEqual(["1:1-1:6", "6:8-6:9", "7:7-7:8", "8:5-8:6", "8:7-8:8"]);
  });

  it("after a document marker and directives", () => {
    expect(places("%YAML 1.2\n# c\n---\na: |\n  x\n...\n# end\n")).toEqual({
      "": "4:1-5:4",
      "/a": "4:4-5:4",
    });
  });
});

describe("readYaml: values", () => {
  const scalars: [string, unknown][] = [
    ["1.0", 1],
    ["0o17", 15],
    ["017", 17],
    ["0x1F", 31],
    ["+12", 12],
    ["-1.5e3", -1500],
    [".5", 0.5],
    ["1_000", "1_000"],
    ["2024-01-31", "2024-01-31"],
    ["2024-01-31T10:00:00Z", "2024-01-31T10:00:00Z"],
    ["12:30:45", "12:30:45"],
    ["yes", "yes"],
    ["on", "on"],
    ["True", true],
    ["FALSE", false],
    ["tRUE", "tRUE"],
    ["~", null],
    ["Null", null],
    ["", null],
    ['"1"', "1"],
    ["'true'", "true"],
    ["!!str 1", "1"],
    ["!<tag:yaml.org,2002:str> 1", "1"],
    ["! 1", "1"],
    ["!!str", ""],
    ['!!int "12"', 12],
    ["!!int x", "x"],
    ["!!float 1", 1],
    ["!!bool 'true'", true],
    ["!!bool x", "x"],
    ["!!null ''", null],
    ["!!null x", "x"],
    ["!!timestamp 2024-01-31", "2024-01-31"],
    ["!!binary aGk=", "aGk="],
    ["!!set {a, b}", { a: null, b: null }],
    ["!!map {a: !!seq [1]}", { a: [1] }],
    ["!!js/function 'x'", "x"],
    ["!!python/name x", "x"],
    ["!custom '1'", "1"],
    ["!<x:y> [1]", [1]],
    ["9".repeat(400), "9".repeat(400)],
  ];
  it.each(scalars)("reads %s", (text, value) => {
    expect(valueOf(`v: ${text}\n`)).toEqual({ v: value });
  });

  it.each([
    [".inf", Infinity],
    ["-.INF", -Infinity],
    [".NaN", NaN],
  ])("reads %s", (text, value) => {
    const node = nodeAt(read(`v: ${text}`), "/v");
    expect(node.kind === "scalar" && node.value).toBe(value);
  });

  it("uses the source text of keys that are not strings", () => {
    const document = read("1.0: a\n0x10: b\nnull: c\ntrue: d\n2024-01-31: e\n~: f\n: g\n__proto__: h\n");
    const { root } = document;
    if (root?.kind !== "mapping") throw new Error("no mapping");
    expect(root.entries.map((entry) => entry.key.text)).toEqual(
      "1.0,0x10,null,true,2024-01-31,~,,__proto__".split(","),
    );
    expect(where(document, keyAt(document, "/"))).toBe("7:1-7:1");
  });

  it("lists each repeated key with the first", () => {
    const document = read("a: 1\n\"a\": 2\nb: {c: 1, c: 2}\n'a': 3\n");
    expect(toValue(nodeAt(document, ""))).toEqual(Object.assign(Object.create(null), { a: 3, b: { c: 2 } }));
    const pairs = document.duplicateKeys.map(({ first, second }) =>
      [second.pointer, where(document, first), where(document, second)].join(" "),
    );
    expect(pairs).toEqual(["/a 1:1-1:2 2:1-2:4", "/b/c 3:5-3:6 3:11-3:12", "/a 1:1-1:2 4:1-4:4"]);
  });
});

describe("readYaml: comments", () => {
  it("finds them outside scalars if one is a directive", () => {
    const document = read(
      "# promptpack-disable x\na: b#c # d\ne: '# f' #g\nh: |  # i\n  # j\nk: [l, #m\n  n] # o\np: q\n  # r",
    );
    expect(document.comments.map((comment) => `${where(document, comment)} ${comment.text}`)).toEqual([
      "1:1-1:23 # promptpack-disable x",
      "2:8-2:11 # d",
      "3:10-3:12 #g",
      "4:7-4:10 # i",
      "6:8-6:10 #m",
      "7:6-7:9 # o",
      "9:3-9:6 # r",
    ]);
  });

  it("does not look for them otherwise", () => {
    expect(read("a: 1 # note").comments).toEqual([]);
  });
});
