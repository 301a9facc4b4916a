import type { Format } from "../../src/document/file-format.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Document } from "../../src/document/document.js";
import {
  addEntries,
  type Edits,
  removeComment,
  removeEntry,
  renameKey,
  replaceText,
  replaceWord,
} from "../../src/document/edit.js";
import type { NewEntry } from "../../src/document/new-entry.js";
import { type MappingNode, type Node, toValue } from "../../src/document/node.js";
import { readDocument } from "../../src/document/read.js";
import { applyEdits } from "../../src/fix/apply-edits.js";
import { runs } from "../runs.js";
import { nodeAt } from "./nodes-of.js";

/** The text after an edit; nothing when none is offered. What is edited always parses. */
function edited(text: string, format: Format, edit: (document: Document) => Edits): string | undefined {
  const document = readDocument(text, format);
  expect(document.faults).toEqual([]);
  const edits = edit(document);
  if (edits === undefined) return undefined;
  const result = applyEdits(text, edits);
  expect(readDocument(result, format).faults).toEqual([]);
  return result;
}

function mappingAt(document: Document, pointer: string): MappingNode {
  const node: Node | undefined = pointer === "" ? document.root : nodeAt(document, pointer);
  if (node?.kind !== "mapping") throw new Error(`There is no mapping at "${pointer}".`);
  return node;
}

const terminal: NewEntry = { name: "terminal", value: true };
const artifacts: NewEntry = {
  name: "artifacts",
  value: [
    {
      name: "sha",
      value: [
        { name: "type", value: "text/plain" },
        { name: "mode", value: "append" },
      ],
    },
  ],
};

const add = (text: string, format: Format, pointer = "/s", ...entries: NewEntry[]) =>
  edited(text, format, (document) =>
    addEntries(document, mappingAt(document, pointer), entries.length === 0 ? [terminal] : entries),
  );
const remove = (text: string, format: Format, name = "x", pointer = "/s") =>
  edited(text, format, (document) => removeEntry(document, mappingAt(document, pointer), name));

describe("addEntries in a YAML block", () => {
  it.each([
    ["s:\n  a: 1\n", "s:\n  a: 1\n  terminal: true\n"],
    ["s:\n    a: 1\nt: 2\n", "s:\n    a: 1\n    terminal: true\nt: 2\n"],
    ["s:\n  a: 1", "s:\n  a: 1\n  terminal: true"],
    ["s:\r\n  a: 1\r\nt: 2\r\n", "s:\r\n  a: 1\r\n  terminal: true\r\nt: 2\r\n"],
    ["s:\r\n  a: 1", "s:\r\n  a: 1\r\n  terminal: true"],
    ["s:\n  a: 1 # why\n  # below\nt: 2\n", "s:\n  a: 1 # why\n  terminal: true\n  # below\nt: 2\n"],
    ["s:\n  a:\n    b: 'x'\n\n\nt: 2\n", "s:\n  a:\n    b: 'x'\n  terminal: true\n\n\nt: 2\n"],
    [
      "s:\n  a: |\n    one\n\n    two\n\nt: 2\n",
      "s:\n  a: |\n    one\n\n    two\n  terminal: true\n\nt: 2\n",
    ],
    ["s:\n  a: |+\n    one\n\nt: 2\n", "s:\n  a: |+\n    one\n\n  terminal: true\nt: 2\n"],
    ["s:\n  a:\n", "s:\n  a:\n  terminal: true\n"],
    ["s:\n  a: &x 1\n  b: *x\n", "s:\n  a: &x 1\n  b: *x\n  terminal: true\n"],
    ["s:\n  - a: 1\n    b: 2\n  - c\n", "s:\n  - a: 1\n    b: 2\n    terminal: true\n  - c\n", "/s/0"],
  ])("%j", (before, after, pointer = "/s") => {
    expect(add(before, "yaml", pointer)).toBe(after);
  });

  it("indents what is nested as the file does", () => {
    expect(add("s:\n    a: 1\n", "yaml", "/s", artifacts)).toBe(
      "s:\n    a: 1\n    artifacts:\n        sha:\n            type: text/plain\n            mode: append\n",
    );
  });

  it("quotes names and texts that need it", () => {
    const entries = ["on", "1", "a: b", "é t", "$a", "", "- a", "a #b", "x\n", "\u0085"].map((name) => ({
      name,
      value: name,
    }));
    expect(add("s:\n  a: 1\n", "yaml", "/s", ...entries)).toBe(
      [
        "s:",
        "  a: 1",
        '  "on": "on"',
        '  "1": "1"',
        '  "a: b": "a: b"',
        "  é t: é t",
        "  $a: $a",
        '  "": ""',
        '  "- a": "- a"',
        '  "a #b": "a #b"',
        '  "x\\n": "x\\n"',
        '  "\\u0085": "\\u0085"',
        "",
      ].join("\n"),
    );
  });

  it("leaves a sentence without quotes, and every text as it is", () => {
    const sentence = "Counts (passed/failed), messages — one per line";
    const entry = { name: "d", value: sentence };
    expect(add("s:\n  a: 1\n", "yaml", "/s", entry)).toBe(`s:\n  a: 1\n  d: ${sentence}\n`);
    expect(add("s: { a: 1 }\n", "yaml", "/s", entry)).toBe(`s: { a: 1, d: "${sentence}" }\n`);
    const characters = [...Array.from("ab 1(),;—-'.#:&*!|>%@`?[]{}\"\\")];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom("a", "a ", ": ", "yes", "null"), fc.constantFrom(...characters)), {
          maxLength: 6,
        }),
        (pieces) => {
          const text = pieces.join("");
          const added = add("s:\n  a: 1\n", "yaml", "/s", { name: "d", value: text }) ?? "";
          expect(toValue(mappingAt(readDocument(added, "yaml"), ""))).toEqual({ s: { a: 1, d: text } });
        },
      ),
      { numRuns: runs(2000), examples: [[["a b: c"]], [["a b:"]], [["a b #c"]]] },
    );
  });
});

describe("addEntries between braces", () => {
  it.each<[string, Format, string]>([
    ["s: { a: 1 }\n", "yaml", "s: { a: 1, terminal: true }\n"],
    ["s: {a: 1}\n", "yaml", "s: {a: 1, terminal: true}\n"],
    ["s: { a: 1, }\n", "yaml", "s: { a: 1, terminal: true, }\n"],
    ["s: {}\n", "yaml", "s: { terminal: true }\n"],
    ["s: {\n  a: 1,\n  b: 2\n }\n", "yaml", "s: {\n  a: 1,\n  b: 2,\n  terminal: true\n }\n"],
    ["s: {\n  a: 1, # one\n }\n", "yaml", "s: {\n  a: 1, # one\n  terminal: true,\n }\n"],
    ["s: {\n  a: 1 # one\n }\n", "yaml", "s: {\n  a: 1, # one\n  terminal: true\n }\n"],
    ['{"s":{"a":1}}', "json", '{"s":{"a":1,"terminal":true}}'],
    ['{"s": {"a": 1}}', "json", '{"s": {"a": 1, "terminal": true}}'],
    ['{ "s": { "a": 1 } }', "json", '{ "s": { "a": 1, "terminal": true } }'],
    ['{"s":{}}', "json", '{"s":{"terminal":true}}'],
    ['{\n  "s": {}\n}\n', "json", '{\n  "s": {\n    "terminal": true\n  }\n}\n'],
    ['{\n\t"s": {\n\t\t"a": 1\n\t}\n}\n', "json", '{\n\t"s": {\n\t\t"a": 1,\n\t\t"terminal": true\n\t}\n}\n'],
    [
      '{\r\n    "s": {\r\n        "a": [1,\r\n 2]\r\n    }\r\n}',
      "json",
      '{\r\n    "s": {\r\n        "a": [1,\r\n 2],\r\n        "terminal": true\r\n    }\r\n}',
    ],
  ])("%j in %s", (before, format, after) => {
    expect(add(before, format)).toBe(after);
  });

  it("writes nested entries as their surroundings are written", () => {
    expect(add('{"s":{"a":1}}', "json", "/s", artifacts)).toBe(
      '{"s":{"a":1,"artifacts":{"sha":{"type":"text/plain","mode":"append"}}}}',
    );
    expect(add("s: { a: 1 }\n", "yaml", "/s", artifacts)).toBe(
      "s: { a: 1, artifacts: { sha: { type: text/plain, mode: append } } }\n",
    );
    expect(add('{\n "s": {\n  "a": 1\n }\n}', "json", "/s", artifacts, terminal)).toBe(
      '{\n "s": {\n  "a": 1,\n  "artifacts": {\n   "sha": {\n    "type": "text/plain",\n    "mode": "append"\n   }\n  },\n  "terminal": true\n }\n}',
    );
  });
});

describe("removeEntry from a YAML block", () => {
  it.each([
    ["s:\n  a: 1\n  x: 2\n", "s:\n  a: 1\n"],
    ["s:\n  x: 2\n  a: 1\n", "s:\n  a: 1\n"],
    ["s:\n  a: 1\n  x: 2", "s:\n  a: 1"],
    ["s:\r\n  a: 1\r\n  x:\r\n    b: 2\r\nt: 1\r\n", "s:\r\n  a: 1\r\nt: 1\r\n"],
    ["s:\n  x:\n    Go: a\n    Stop: b\n  a: 1\n", "s:\n  a: 1\n"],
    ["s:\n  # above\n  x: 2\n  a: 1\n", "s:\n  # above\n  a: 1\n"],
    ["s:\n  x: 2 # behind\n  a: 1\n", "s:\n  # behind\n  a: 1\n"],
    [
      "s:\n  x: # one\n    Go: a # two\n    # three\n    Stop: '# b' # four\n  a: 1\n",
      "s:\n  # one\n  # two\n  # three\n  # four\n  a: 1\n",
    ],
    ["s:\n  a: 1\n  x: { Go: '#' } # c", "s:\n  a: 1\n  # c"],
    ["s:\n  x: { Go: a } # promptpack-disable-line dead-guard -- ours\n  a: 1\n", "s:\n  a: 1\n"],
    [
      "s:\n  x: # promptpack-disable-line\n    Go: a # two\n    # promptpack-disable-next-line b\n    Stop: b\n  a: 1\n",
      "s:\n  # two\n  a: 1\n",
    ],
    ["s:\n  x: 2 # promptpack-disable a\n  a: 1\n", "s:\n  # promptpack-disable a\n  a: 1\n"],
    ["s:\n  x: 2 # promptpack-disable-lines\n  a: 1\n", "s:\n  # promptpack-disable-lines\n  a: 1\n"],
    ["s:\n  x: {\n    Go: a, # one\n   }\n  a: 1\n", "s:\n  # one\n  a: 1\n"],
    ["s:\n  x: 2\n", "s:\n  {}\n"],
    ["s:\n  x: 2 # c\nt: 1\n", "s:\n  {} # c\nt: 1\n"],
    ["s:\n  a: &x 1\n  x: { b: *x }\n", "s:\n  a: &x 1\n"],
    ["s:\n  x: |\n    text\n\n  a: 1\n", "s:\n\n  a: 1\n"],
  ])("%j", (before, after) => {
    expect(remove(before, "yaml")).toBe(after);
  });
});

describe("removeEntry between braces", () => {
  it.each<[string, Format, string]>([
    ["s: { a: 1, x: 2 }\n", "yaml", "s: { a: 1 }\n"],
    ["s: { x: 2, a: 1 }\n", "yaml", "s: { a: 1 }\n"],
    ["s: { a: 1, x: 2, b: 3 }\n", "yaml", "s: { a: 1, b: 3 }\n"],
    ["s: { a: 1, x: 2, }\n", "yaml", "s: { a: 1, }\n"],
    ["s: { x: 2 }\n", "yaml", "s: {}\n"],
    ["s: { x: 2, }\n", "yaml", "s: {}\n"],
    ["s: { x: 2,\n  a: 1 }\n", "yaml", "s: { a: 1 }\n"],
    ["s: { b: 0, x: 2,\n  a: 1 }\n", "yaml", "s: { b: 0,\n  a: 1 }\n"],
    ["s: {\n  a: 1, # one\n  x: 2 # two\n }\n", "yaml", "s: {\n  a: 1 # one\n  # two\n }\n"],
    ["s: {\n  x: 2, # two\n  a: 1 # one\n }\n", "yaml", "s: {\n  # two\n  a: 1 # one\n }\n"],
    ["s: {\n  a: 1,\n  x: 2 # two\n }\n", "yaml", "s: {\n  a: 1\n  # two\n }\n"],
    ["s: {\n  a: 1, # one\n  x: 2\n }\n", "yaml", "s: {\n  a: 1 # one\n }\n"],
    ['{"s":{"a":1,"x":{"b":2}}}', "json", '{"s":{"a":1}}'],
    ['{"s":{"x":{"b":2},"a":1}}', "json", '{"s":{"a":1}}'],
    ['{"s":{"x":2}}', "json", '{"s":{}}'],
    ['{\n  "s": {\n    "x": 2\n  }\n}\n', "json", '{\n  "s": {}\n}\n'],
    ['{\n  "s": {\n    "a": 1,\n    "x": 2\n  }\n}\n', "json", '{\n  "s": {\n    "a": 1\n  }\n}\n'],
    [
      '{\r\n\t"s": {\r\n\t\t"x": {\r\n\t\t},\r\n\t\t"a": 1\r\n\t}\r\n}',
      "json",
      '{\r\n\t"s": {\r\n\t\t"a": 1\r\n\t}\r\n}',
    ],
    ['{"s": {"a": 1\n, "x": 2\n, "b": 3}}', "json", '{"s": {"a": 1\n, "b": 3}}'],
  ])("%j in %s", (before, format, after) => {
    expect(remove(before, format)).toBe(after);
  });
});

describe("what reaches further is left to the author", () => {
  it.each([
    ["what is in an alias", "b: &b\n  c:\n    x: 1\n    a: 2\ns: *b\n", "/s/c"],
    ["what is merged in an alias", "b: &b { y: { x: 1 } }\nc: &c\n  d: { <<: *b }\ns: *c\n", "/s/d/y"],
    ["a mapping with a merge key", "b: &b { y: 1 }\ns:\n  <<: *b\n  x: 1\n", "/s"],
    ["a key that occurs twice", "s:\n  x: 1\n  x: 2\n  a: 1\n", "/s"],
    ["an explicit key", "s:\n  ? x\n  : 1\n  ? a\n  : 2\n", "/s"],
  ])("%s", (_, text, pointer) => {
    expect(add(text, "yaml", pointer)).toBeUndefined();
    expect(remove(text, "yaml", "x", pointer)).toBeUndefined();
  });

  it.each([
    ["a value that aliases repeat", "b: &b\n  x: 1\n  a: 2\ns: *b\n", "/b"],
    ["an alias", "b: &b\n  x: 1\n  a: 2\ns: *b\n", "/s"],
    ["a mapping that is merged", "s: { <<: { c: { x: 1, a: 1 } } }\n", "/s/c"],
  ])("removing from %s", (_, text, pointer) => {
    expect(remove(text, "yaml", "x", pointer)).toBeUndefined();
  });

  it.each([
    ["an entry that holds what aliases repeat", "s:\n  x: &b { c: 1 }\n  a: *b\n"],
    ["comments between braces", "s: { x: { # c\n  a: 1 }, b: 2 }\n"],
    ["a comment before the comma", "s: {\n  x: 1 # c\n  , b: 2 }\n"],
    ["a key with an anchor", "s: { &b x: 1, a: 2 }\n"],
  ])("removing %s", (_, text) => {
    expect(remove(text, "yaml")).toBeUndefined();
  });

  it("an entry that is there already", () => {
    expect(add("s: { terminal: false }\n", "yaml")).toBeUndefined();
    expect(remove("s: { a: 1 }\n", "yaml")).toBeUndefined();
  });
});

it.each([
  ["b: &b\n  a: 2\ns: *b\n", "/b", "b: &b\n  a: 2\n  terminal: true\ns: *b\n"],
  ["b: &b\n  a: 2\ns: *b\n", "/s", "b: &b\n  a: 2\n  terminal: true\ns: *b\n"],
  ["b: &b {a: 2}\nc: &c {d: *b}\ns: *c\n", "/s/d", "b: &b {a: 2, terminal: true}\nc: &c {d: *b}\ns: *c\n"],
])("what is added to what aliases repeat goes where that is written: %j", (before, pointer, after) => {
  expect(add(before, "yaml", pointer)).toBe(after);
});

describe("replaceText and renameKey", () => {
  const replace = (text: string, format: Format, by: string) =>
    edited(text, format, (document) => {
      const node = nodeAt(document, "/s");
      return node.kind === "scalar" ? replaceText(document, node, by) : undefined;
    });
  const rename = (text: string, format: Format, by: string) =>
    edited(text, format, (document) => {
      const entry = mappingAt(document, "").entry("s");
      return entry === undefined ? undefined : renameKey(document, entry.key, by);
    });

  it.each<[string, Format, string, string | undefined]>([
    ["s: helo # c\n", "yaml", "hello", "s: hello # c\n"],
    ["s: 'helo'\n", "yaml", "it's", "s: 'it''s'\n"],
    ['s: "helo"\n', "yaml", 'say "x"', 's: "say \\"x\\""\n'],
    ["s: helo\n", "yaml", "a: b", 's: "a: b"\n'],
    ["s: 'helo'\n", "yaml", "a\nb", 's: "a\\nb"\n'],
    ["s: ./sk/tne\n", "yaml", "./sk/tone", "s: ./sk/tone\n"],
    ["{ s: ../../tne }\n", "yaml", "../../tone", "{ s: ../../tone }\n"],
    ["s: /sk/tne\n", "yaml", "/sk/tone", "s: /sk/tone\n"],
    ["s: .in\n", "yaml", ".inf", 's: ".inf"\n'],
    ["s: helo\n", "yaml", "...", 's: "..."\n'],
    ["s: !!str helo\n", "yaml", "hello", "s: !!str hello\n"],
    ['{"s": "helo"}', "json", 'a"\n', '{"s": "a\\"\\n"}'],
    ["s: >-\n  helo\n", "yaml", "hello", undefined],
    ["a: &x helo\ns: *x\n", "yaml", "hello", "a: &x hello\ns: *x\n"],
    ["s: &x helo\na: *x\n", "yaml", "hello", "s: &x hello\na: *x\n"],
    ["s: &x helo\n", "yaml", "hello", "s: &x hello\n"],
  ])("%j in %s by %j", (before, format, by, after) => {
    expect(replace(before, format, by)).toBe(after);
  });

  it.each<[string, Format, string, string | undefined]>([
    ["s: 1 # c\n", "yaml", "t", "t: 1 # c\n"],
    ["'s' : 1\n", "yaml", "t u", "'t u' : 1\n"],
    ["{ s, a }\n", "yaml", "t", "{ t, a }\n"],
    ['{"s": 1}', "json", "t", '{"t": 1}'],
    ["s: 1\nt: 2\n", "yaml", "t", undefined],
    ["&x s: 1\na: *x\n", "yaml", "t", undefined],
  ])("the key in %j by %j", (before, format, by, after) => {
    expect(rename(before, format, by)).toBe(after);
  });
});

it.each<[string, Format, string | undefined]>([
  ["s: Hi {{usr}}!\n", "yaml", "s: Hi {{user}}!\n"],
  ["s: 'Hi''s {{usr}}'\n", "yaml", "s: 'Hi''s {{user}}'\n"],
  ["s: Hi {{the usr}}!\n", "yaml", "s: Hi {{user}}!\n"],
  ["s: >\n  Hi {{the\n  usr}}\n", "yaml", undefined],
  ["s: >\n  Hi\n  {{usr}}\n", "yaml", "s: >\n  Hi\n  {{user}}\n"],
  ['{"s": "Hi\\n{{usr}}"}', "json", '{"s": "Hi\\n{{user}}"}'],
  ['{"s": "Hi {{u\\u0073r}}"}', "json", undefined],
  ["a: &x Hi {{usr}}\ns: *x\n", "yaml", undefined],
])("replaceWord in %j", (before, format, after) => {
  const result = edited(before, format, (document) => {
    const node = nodeAt(document, "/s");
    if (node.kind !== "scalar" || typeof node.value !== "string") return undefined;
    const { index: start, 0: old } = /the usr|usr/.exec(node.value) ?? { index: 0, 0: "" };
    return replaceWord(document, node, { start, end: start + old.length }, "user");
  });
  expect(result).toBe(after);
});

it.each([
  ["a: 1 # promptpack-disable-line x\nb: 2\n", "a: 1\nb: 2\n"],
  ["# promptpack-disable x\na: 1\n", "a: 1\n"],
  ["a:\r\n  # promptpack-disable x\r\n  b: 1\r\n", "a:\r\n  b: 1\r\n"],
  ["a: 1\n# promptpack-disable x", "a: 1"],
])("removeComment from %j", (before, after) => {
  const result = edited(before, "yaml", (document) => {
    const [comment] = document.comments;
    return comment === undefined ? undefined : removeComment(document, comment);
  });
  expect(result).toBe(after);
});
