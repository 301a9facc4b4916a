import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { placeOf, toValue } from "../../src/document/node.js";
import { readJson } from "../../src/document/json/read-json.js";
import { faultsOf, keyAt, nodeAt, nodesOf, where } from "./nodes-of.js";

const read = (text: string) => readJson(text, defaultLimits);

const cutString =
  "The file ends inside this string; close it with a double quote, if nothing else is missing.";

describe("readJson", () => {
  it("knows the place of every key and value", () => {
    const document = read('{\r\n\t"é😀": [1, "x"],\r"b" : {"c":null}\n}');
    const places = nodesOf(document).map((node) => [node.pointer, where(document, node)]);
    expect(places).toEqual([
      ["", "1:1-4:2"],
      ["/é😀", "2:9-2:17"],
      ["/b", "3:7-3:17"],
      ["/é😀/0", "2:10-2:11"],
      ["/é😀/1", "2:13-2:16"],
      ["/b/c", "3:12-3:16"],
    ]);
    expect(where(document, keyAt(document, "/é😀"))).toBe("2:2-2:7");
    expect(where(document, keyAt(document, "/b/c"))).toBe("3:8-3:11");
    expect(where(document, placeOf(nodeAt(document, "")))).toBe("1:1-1:2");
  });

  it("escapes pointers", () => {
    const document = read('{"a/b":{"m~n":[[0]]},"":1}');
    expect(nodesOf(document).map((node) => node.pointer)).toEqual([
      "",
      "/a~1b",
      "/",
      "/a~1b/m~0n",
      "/a~1b/m~0n/0",
      "/a~1b/m~0n/0/0",
    ]);
  });

  it("takes __proto__ and constructor as keys", () => {
    const { root } = read('{"__proto__":{"x":1},"constructor":2,"toString":3}');
    if (root?.kind !== "mapping") throw new Error("no mapping");
    expect(root.entries.map((entry) => entry.key.text)).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.keys(toValue(root) as object)).toEqual(["__proto__", "constructor", "toString"]);
    expect(root.get("hasOwnProperty")).toBeUndefined();
  });

  it("lets the last of equal keys win and lists each repetition with the first", () => {
    const document = read('{"a":1,"b":{"c":1,"c":2},"\\u0061":3,"a":4}');
    expect(toValue(nodeAt(document, ""))).toEqual(Object.assign(Object.create(null), { a: 4, b: { c: 2 } }));
    expect(
      document.duplicateKeys.map(({ first, second }) => [
        second.pointer,
        where(document, first),
        where(document, second),
      ]),
    ).toEqual([
      ["/b/c", "1:13-1:16", "1:19-1:22"],
      ["/a", "1:2-1:5", "1:26-1:34"],
      ["/a", "1:2-1:5", "1:37-1:40"],
    ]);
    expect(document.duplicateKeys[1]?.first.pointer).toBe("/a");
  });

  it("finds equal keys among many", () => {
    const names = Array.from({ length: 30 }, (_, i) => `"k${i}":${i}`);
    const document = read(`{${[...names, '"k3":0', '"k29":0', '"k3":1'].join()}}`);
    expect(document.duplicateKeys.map(({ first, second }) => [first.text, first.start, second.text])).toEqual(
      [
        ["k3", 22, "k3"],
        ["k29", document.text.indexOf('"k29"'), "k29"],
        ["k3", 22, "k3"],
      ],
    );
  });

  const first: [string, string][] = [
    ["", "1:1-1:1 The file is empty."],
    [" \n", "2:1-2:1 The file is empty."],
    ['{"a":1,}', "1:7-1:8 JSON allows no comma after the last entry; remove it."],
    ["[1,]", "1:3-1:4 JSON allows no comma after the last entry; remove it."],
    ["{a:1}", '1:2-1:3 Expected a key in double quotes, found "a".'],
    ['{"a" 1}', '1:6-1:7 Expected a colon after the key, found "1".'],
    ['{"a":1 "b":2}', '1:8-1:11 Expected a comma before "b".'],
    ['{"a":', "1:6-1:6 Expected a value, but the file ends."],
    ['{"a":1', '1:7-1:7 The file ends before its object is closed; add "}".'],
    ["[1", '1:3-1:3 The file ends before its list is closed; add "]".'],
    ['{"a":}', '1:6-1:7 Expected a value, found "}".'],
    [
      '{"a":tru}',
      '1:6-1:9 "tru" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
    [
      '{"a":truex}',
      '1:6-1:11 "truex" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
    [
      '{"a":None}',
      '1:6-1:10 "None" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
    ["{'a':1}", "1:2-1:5 Expected a key in double quotes, found \"'a'\"."],
    ['{"a":01}', '1:6-1:8 "01" is not a number in JSON.'],
    ['{"a":1.}', '1:6-1:8 "1." is not a number in JSON.'],
    ['{"a":-}', '1:6-1:7 "-" is not a number in JSON.'],
    ['{"a":"x', `1:6-1:8 ${cutString}`],
    ['{"a":"x\\', `1:6-1:9 ${cutString}`],
    ['{"a":"x\\u00', `1:6-1:12 ${cutString}`],
    [
      '{"a":"x\n"}',
      '1:6-1:8 This string is not closed on its line; add a double quote, or write "\\n" for a line break inside it.',
    ],
    ['{"a":"\u0001"}', '1:7-1:8 A string cannot contain a raw control character; write it as "\\u0001".'],
    ['{"a":"\\x41"}', '1:7-1:9 "\\x" is not an escape that JSON knows; write "\\\\" for a backslash.'],
    ['{"a":"\\u00g0"}', '1:7-1:9 "\\u" needs four hexadecimal digits.'],
    ["{} // x", "1:4-1:8 JSON has no comments; remove this one."],
    ["{} {}", '1:4-1:5 The file continues after the end of its value, found "{".'],
    ["\0", '1:1-1:2 "\\u0000" is not a JSON value; the file must start with "{".'],
    ["\u001b[31m", '1:1-1:2 "\\u001b" is not a JSON value; the file must start with "{".'],
    ["{\u00a0}", "1:2-1:3 A no-break space is not allowed between values in JSON; use plain spaces."],
  ];
  it.each(first)("refuses %j", (text, fault) => {
    const document = read(text);
    expect(document.root).toBeUndefined();
    expect(faultsOf(document)).toEqual([fault]);
  });
});
