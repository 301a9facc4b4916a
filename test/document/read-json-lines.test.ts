import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { toValue } from "../../src/document/node.js";
import { isFull } from "../runs.js";

const before = "Only the lines before this one are checked.";
const read = (text: string) => readJsonLines(text, defaultLimits);

describe("readJsonLines", () => {
  it("gives each value its place in the file", () => {
    const { root, lines } = read('{"a": 1}\r\n\n  {"b": ["x", "é\\n"]}  \r{"__proto__": 3}');
    expect(root === undefined ? undefined : JSON.stringify(toValue(root))).toBe(
      '[{"a":1},{"b":["x","é\\n"]},{"__proto__":3}]',
    );
    const second = root?.kind === "sequence" ? root.items[1] : undefined;
    const list = second?.kind === "mapping" ? second.get("b") : undefined;
    const item = list?.kind === "sequence" ? list.items[1] : undefined;
    expect(item?.pointer).toBe("/1/b/1");
    expect(item && lines.range(item.start, item.end)).toEqual({
      start: { line: 3, column: 15 },
      end: { line: 3, column: 20 },
    });
  });

  it.each<[string, string, readonly string[]]>([
    ["a first line cut short", '{"a": \n{"a": 1}', ["1:7 Expected a value, but the line ends."]],
    [
      "a first line cut short in a string",
      '{"a": "x\n{"a": 1}',
      ["1:7 The line ends inside this string; close it with a double quote, if nothing else is missing."],
    ],
    ["only a line cut short", '{"a": ', ["1:7 Expected a value, but the line ends."]],
    [
      "two broken lines",
      '{"a" 1}\n{"a": 1}\n{"a": 1} {"b": 2}',
      [
        '1:6 Expected a colon after the key, found "1".',
        '3:10 The line continues after the end of its value, found "{".',
      ],
    ],
    [
      "a line that is a list",
      "[1]\n7",
      ["1:1", "2:1"].map((at) => `${at} Each line of a record is a JSON object; this one is not.`),
    ],
    ["nothing", " \n\n", ["1:1 The file is empty; a record has one JSON object per line."]],
  ])("%s", (_, text, faults) => {
    const { root, lines, faults: found } = read(text);
    expect(root).toBeUndefined();
    expect(
      found.map(({ start, message }) => {
        const { line, column } = lines.position(start);
        return `${line}:${column} ${message}`;
      }),
    ).toEqual(faults);
  });

  it("reads what comes before a last line that is cut off", () => {
    const { root, faults, lines } = read('{"a": 1}\n{"b": 2}\n{"c": "x');
    expect(root?.kind === "sequence" && root.items.length).toBe(2);
    expect(faults.map(({ start, message }) => [lines.position(start).line, message])).toEqual([
      [3, "The last line is cut off; only the lines before it are checked."],
    ]);
    // Complete except for the line break, so it is not cut off.
    expect(read('{"a": 1}\n{"b": 2}').faults).toEqual([]);
    expect(read('{"a" 1}\n{"b": 2}\n{"c": "x').root).toBeUndefined();
  });

  it.each<[string, string | Uint8Array, readonly string[]]>([
    [
      "cut short, with more behind it",
      '{"a": 1}\n{"b": \n{"c": 1, "c": 2}\n',
      [`2 Expected a value, but the line ends. ${before}`],
    ],
    [
      "and another one",
      '{"a": 1}\n{"b" 1}\n{"c": 1}\n{"d": ',
      [`2 Expected a colon after the key, found "1". ${before}`, "4 Expected a value, but the line ends."],
    ],
    [
      "that holds half a character",
      Buffer.from('{"a": 1}\n{"b": "é"}\n{"c": 1}\n').filter((byte) => byte !== 0xa9),
      [`2 The file is not valid UTF-8: the byte 0xC3 is out of place here; save it as UTF-8. ${before}`],
    ],
    [
      "that goes on in the next ones",
      '{"a": 1}\n{\n "b": 2\n}\n{"c": 1}',
      [`2 A record has one JSON object per line; this one spans several lines. ${before}`],
    ],
  ])("reads what comes before a line %s", (_, text, said) => {
    const { root, faults, lines, duplicateKeys } = readJsonLines(text, defaultLimits);
    expect(root === undefined ? undefined : toValue(root)).toEqual([{ a: 1 }]);
    expect(duplicateKeys).toEqual([]);
    expect(faults.map(({ start, message }) => `${lines.position(start).line} ${message}`)).toEqual(said);
  });

  it.each([
    ["{"],
    ['{"c'],
    ['{"c"'],
    ['{"c": tr'],
    ['{"c": [1.'],
    ['{"c": "\\'],
    ['{"c": "\\u00'],
    ['{"c": {"d": 1}'],
  ])("takes the last line %s for cut off", (line) => {
    expect(read(`{"a": 1}\n${line}`).faults.map(({ message }) => message)).toEqual([
      "The last line is cut off; only the lines before it are checked.",
    ]);
  });

  it.each([
    ["42", "Each line of a record is a JSON object; this one is not."],
    ["[1]", "Each line of a record is a JSON object; this one is not."],
    ['{"c" 1}', 'Expected a colon after the key, found "1".'],
    ['{"c": 1} x', 'The line continues after the end of its value, found "x".'],
    ['{"c": 1,}', "JSON allows no comma after the last entry; remove it."],
    ['{"c": "\\u00"}', '"\\u" needs four hexadecimal digits.'],
    ["true", "Each line of a record is a JSON object; this one is not."],
    ["x", '"x" is not a JSON value; the line must start with "{".'],
  ])("takes the last line %s for wrong", (line, said) => {
    const { faults } = read(`{"a": 1}\n${line}`);
    expect(faults.map(({ message }) => message)).toEqual([`${said} ${before}`]);
  });

  it("does not take a limit for a line that is cut off", () => {
    const { faults } = readJsonLines('{"a": 1}\n{"b": {', { ...defaultLimits, maxDepth: 1 });
    expect(faults.map(({ message }) => message)).toEqual([
      `The values are nested more than 1 levels deep. ${before}`,
    ]);
  });

  it("reads many lines, and stops after twenty broken ones", () => {
    const count = isFull ? 100_000 : 10_000;
    const many = read('{"type": "agentic.start"}\n'.repeat(count));
    expect(many.root?.kind === "sequence" && many.root.items.length).toBe(count);
    expect(read("{\n".repeat(count)).faults).toHaveLength(20);
  });

  it("collects duplicate keys of all lines", () => {
    expect(
      read('{"a": 1, "a": 2}\n{"b": 1, "b": 2}').duplicateKeys.map(({ second }) => second.start),
    ).toEqual([9, 26]);
  });
});
