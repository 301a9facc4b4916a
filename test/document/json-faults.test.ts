import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { faultsOf } from "./nodes-of.js";

const comma = "JSON allows no comma after the last entry; remove it.";
const comment = "JSON has no comments; remove this one.";
const yaml = "This looks like YAML, but is read as JSON.";

const cases: [string, string[]][] = [
  ['{"a":[1,],"b":{"c":2,},}', [`1:8-1:9 ${comma}`, `1:21-1:22 ${comma}`, `1:23-1:24 ${comma}`]],
  ['// one\n{"a": /* two */ 1}', [`1:1-1:7 ${comment}`, `2:7-2:16 ${comment}`]],
  [
    '{"a":NaN,"b":undefined}',
    [
      '1:6-1:9 "NaN" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
      '1:14-1:23 "undefined" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
  ],
  ['{a:1,"b":2}', ['1:2-1:3 Expected a key in double quotes, found "a".']],
  ["{\u201ca\u201d:1}", ['1:2-1:5 Expected a key in double quotes, found "\u201ca\u201d".']],
  ["{'a':1}", ["1:2-1:5 Expected a key in double quotes, found \"'a'\"."]],
  [
    '{"a":1 "b":2, "c" 3}',
    ['1:8-1:11 Expected a comma before "b".', '1:19-1:20 Expected a colon after the key, found "3".'],
  ],
  ['{"a":[1 2]}', ['1:9-1:10 Expected a comma before "2".']],
  [
    '{"a":,"b":[,1],"c":}',
    [
      '1:6-1:7 Expected a value, found ",".',
      '1:12-1:13 Expected a value, found ",".',
      '1:20-1:21 Expected a value, found "}".',
    ],
  ],
  [
    '{"a":one two,"b":[1,]}',
    [
      '1:6-1:9 "one" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
  ],
  ['{"a","b":[1,]}', ['1:5-1:6 Expected a colon after the key, found ",".']],
  ['{my key:1,"b":[1,]}', ['1:2-1:4 Expected a key in double quotes, found "my".']],
  ['{"a":1 b:[1,]}', ['1:8-1:9 Expected a comma before "b".']],
  ['{"a":1 /* two', [`1:8-1:14 ${comment}`, '1:14-1:14 The file ends before its object is closed; add "}".']],
  [
    '{"a":01,"b":0x1F}',
    ['1:6-1:8 "01" is not a number in JSON.', '1:13-1:17 "0x1F" is not a number in JSON.'],
  ],
  ['{"a":.5}', ['1:6-1:8 ".5" is not a number in JSON.']],
  ['{"a":1;"b":2}', ['1:7-1:8 Expected a comma before ";".']],
  [
    '{"a":\u{e0041}x}',
    [
      '1:6-1:9 "\\u{e0041}x" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
  ],
  ['{"a":1} x', ['1:9-1:10 The file continues after the end of its value, found "x".']],
  [
    '{"a":"one\ntwo three",\n"b":1,}',
    [
      '1:6-1:10 This string is not closed on its line; add a double quote, or write "\\n" for a line break inside it.',
    ],
  ],
  // A string that is not closed may take the brackets of its line with it, so nothing below it is clear.
  [
    '{"a":{"b":"c},\n"d":[1 2]}',
    [
      '1:11-1:15 This string is not closed on its line; add a double quote, or write "\\n" for a line break inside it.',
    ],
  ],
  [
    '{"a":[one"],\n"b":1}',
    [
      '1:7-1:10 "one" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
  ],
  [
    '{"a":"{{b}},\n"c":[1 2]}',
    [
      '1:6-1:13 This string is not closed on its line; add a double quote, or write "\\n" for a line break inside it.',
    ],
  ],
  [
    '{"a":"\\q","b":"\\u12","c":"\t"}',
    [
      '1:7-1:9 "\\q" is not an escape that JSON knows; write "\\\\" for a backslash.',
      '1:16-1:18 "\\u" needs four hexadecimal digits.',
      '1:27-1:28 A string cannot contain a raw control character; write it as "\\t".',
    ],
  ],
  [
    '{"a":\u201cx\u201d}',
    [
      '1:6-1:9 "\u201cx\u201d" is not a JSON value; write text in straight double quotes, or a number, true, false or null.',
    ],
  ],
  [
    '{"a":{b:{"c":1},"d":[1,]},"e":2}',
    ['1:7-1:8 Expected a key in double quotes, found "b".', `1:23-1:24 ${comma}`],
  ],
  ['{"a":{\'b\':[{"c":1}]},"d":2}', ["1:7-1:10 Expected a key in double quotes, found \"'b'\"."]],
  ['{"a":["b","c"},"d":2}', ['1:14-1:15 Expected "]" before "}", because a list is still open.']],
  ['{"a":{"b":1],"d":2}', ['1:12-1:13 Expected "}" before "]", because an object is still open.']],
  ['{"a":\n"b":1},"c":2}', ['2:1-2:4 Expected a value, found the key "b"; a bracket is missing before it.']],
  ['{"a":"b\\"c": 1}', ['1:6-1:12 Expected a value, found the key "b\\"c"; a bracket is missing before it.']],
  ['["b": 1, "c": 2]', ['1:2-1:5 Expected a value, found the key "b"; a bracket is missing before it.']],
  ['{"a":["b",\n"c":[]}', ['2:1-2:4 Expected a value, found the key "c"; a bracket is missing before it.']],
  ['{"a":["b"\n"c":[]}', ['2:1-2:4 Expected a value, found the key "c"; a bracket is missing before it.']],
  ['{"a":["b", "c": 1}', ['1:12-1:15 Expected a value, found the key "c"; a bracket is missing before it.']],
  [
    '{\n  "a":[\n  "c": 1\n}',
    ['3:3-3:6 Expected a value, found the key "c"; a bracket is missing before it.'],
  ],
  [
    '{\n  "a":[\n    {"b": 1},\n  "c": 1\n}',
    ['4:3-4:6 Expected a value, found the key "c"; a bracket is missing before it.'],
  ],
  ['{"a":["b"\n"c"]}', ['2:1-2:4 Expected a comma before "c".']],
  [
    '{\n  "a":[\n    {"b": 1},\n    "b": 2}\n  ]\n}',
    ['4:5-4:8 Expected a value, found the key "b"; a bracket is missing before it.'],
  ],
  [
    '{"a":[{"b": 1} "b": 2]}',
    ['1:16-1:19 Expected a value, found the key "b"; a bracket is missing before it.'],
  ],
  // A key that lacks one of its quotes.
  ['{"a":1,\nb": "c",\n"d":2}', ['2:1-2:3 Expected a key in double quotes, found "b\\"".']],
  ['{b": "c", "d": "e"}', ['1:2-1:4 Expected a key in double quotes, found "b\\"".']],
  ['{"a":1,\nb": {"c": "d"},\n"d":2}', ['2:1-2:3 Expected a key in double quotes, found "b\\"".']],
  ['{"a":1,\n"b: "c",\n"d":2}', ['2:6-2:7 The string ends before "c"; write \\" for a quote inside it.']],
  ['{"b: "{{c}}","d":[1,]}', ['1:7-1:8 Expected a colon after the key, found "{".']],
  ['{"a"":1,"d":[1,]}', ['1:5-1:10 Expected a colon after the key, found ":1,".']],
  ['{"a":["b"","c",]}', ['1:10-1:13 Expected a comma before ",".']],
  ['{"b: ["c", "d"]}', ['1:8-1:9 The string ends before "c"; write \\" for a quote inside it.']],
  ['{"a":["b: "c"]}', ['1:12-1:13 The string ends before "c"; write \\" for a quote inside it.']],
  ['{"a":"b: "c""}', ['1:11-1:12 The string ends before "c"; write \\" for a quote inside it.']],
  ['{"a":{"b":1}},"c":2}', ['1:14-1:15 The file continues after the end of its value, found ",".']],
  [
    '```json\n{"a":1}\n```',
    [
      '1:1-1:8 "```json" is not a JSON value; the file must start with "{".',
      '3:1-3:4 The file continues after the end of its value, found "```".',
    ],
  ],
  ["", ["1:1-1:1 The file is empty."]],
  // Habits from YAML, JavaScript, chats and word processors.
  ['{\n  # one\n  "a": 1\n}', [`2:3-2:8 ${comment}`]],
  // YAML under the name of a JSON file; but not JSON with something before it, or without its brace.
  ["a: 1", [`1:1-1:2 ${yaml}`]],
  ["# one\r\na:\n  b: [1, 2],\n", [`1:1-1:2 ${yaml}`]],
  ["\n# one's 0\n\n# two\n$a: 1", [`2:1-2:2 ${yaml}`]],
  ["---\n- a", [`1:1-1:4 ${yaml}`]],
  ["%YAML 1.2\n---\na: 1", [`1:1-1:6 ${yaml}`]],
  ['# one\n{"a":1}', [`1:1-1:6 ${comment}`]],
  ['Pack:\n```json\n{"a":1}', ['1:1-1:5 "Pack" is not a JSON value; the file must start with "{".']],
  ["a: 1,\nb: 2\n}", ['1:1-1:2 "a" is not a JSON value; the file must start with "{".']],
  ['a: "x", b: "y"', ['1:1-1:2 "a" is not a JSON value; the file must start with "{".']],
  ['Note: one\n\n  {"a":1}', ['1:1-1:5 "Note" is not a JSON value; the file must start with "{".']],
  ["Note: one\n\n  ```\n", ['1:1-1:5 "Note" is not a JSON value; the file must start with "{".']],
  ["a: |\n  {{b}}\n", [`1:1-1:2 ${yaml}`]],
  ["a:1", ['1:1-1:2 "a" is not a JSON value; the file must start with "{".']],
  ['Here it is:\n{"a":1}', ['1:1-1:5 "Here" is not a JSON value; the file must start with "{".']],
  ["None", ['1:1-1:5 "None" is not a JSON value; the file must start with "{".']],
  ['"a":1}', ['1:4-1:5 The file continues after the end of its value, found ":".']],
  ['{"a":1}\n{"b":2}', ['2:1-2:2 The file continues after the end of its value, found "{".']],
  ['{"a" = 1}', ['1:6-1:7 Expected a colon after the key, found "=".']],
  ['{"a": "the "big" one"}', ['1:13-1:16 The string ends before "big"; write \\" for a quote inside it.']],
  ['{"a": {{b}}, "c": 1}', ['1:7-1:9 Text that starts with "{{" must be in double quotes.']],
  [
    '{\n\u00a0\u00a0"a": 1}',
    ["2:1-2:3 A no-break space is not allowed between values in JSON; use plain spaces."],
  ],
  ['{"a":\u200b1}', ["1:6-1:7 A special space is not allowed between values in JSON; use plain spaces."]],
  ['{"a":1, ...}', ['1:9-1:12 Expected a key in double quotes, found "...".']],
  // The quote that ends a text on several lines opens nothing.
  [
    '{"a":"one\n  two",\n"b":["c", "d"]}',
    [
      '1:6-1:10 This string is not closed on its line; add a double quote, or write "\\n" for a line break inside it.',
    ],
  ],
];

describe("the faults of a JSON file", () => {
  it.each(cases)("reports the faults of %j", (text, faults) => {
    expect(faultsOf(readDocument(text, "json"))).toEqual(faults);
  });

  it("stops after twenty faults", () => {
    const document = readDocument(`{${'"a":[1,],'.repeat(50)}"b":1}`, "json");
    expect(document.faults).toHaveLength(20);
  });
});
