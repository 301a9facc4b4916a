import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { withoutStackTraces } from "../../src/document/yaml/yaml-faults.js";
import { faultsOf } from "./nodes-of.js";

const misfit = "is unexpected here; check the indentation, and put text with special characters in quotes.";
const noBracket =
  '"}" is unexpected here; check the indentation, and put text with special characters in quotes.';
const indented =
  "This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.";
const otherIndentation = "The indentation of this line does not match that of the lines before it.";
const unknownTag = 'is not known; remove it, or put text that starts with "!" in quotes.';
const loneMarker = 'Nothing follows this "---", which would start a second document; remove the line.';
const stillOpen = 'A bracket is still open here; close it with "]" or indent this line further.';
const unknownEscape = '"\\q" is not an escape that YAML knows; write "\\\\" for a backslash.';
const wideLine = "An empty line above has more spaces than this text; remove them.";

const noMarkdown =
  'is not a key with a value; remove this line of Markdown, or indent it below a key with "|" if it is text.';
const noKey =
  'is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.';

const cases: [string, string[]][] = [
  [
    "a: b: c",
    ['1:4-1:8 A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.'],
  ],
  [
    "a: @x\nb: 1\nc: `y`",
    [
      '1:4-1:5 Text cannot start with "@" unless it is in quotes.',
      '3:4-3:5 Text cannot start with "`" unless it is in quotes.',
    ],
  ],
  ["a:\n\tb: 1", ["2:1-2:2 A tab cannot indent a line in YAML; use spaces."]],
  [
    'a: "x\nb: 2\n',
    ["1:4-1:6 This text in quotes is not closed; close it, or indent the lines that continue it."],
  ],
  ["a: 'x", ["1:4-1:6 This text in quotes is not closed; close it, or indent the lines that continue it."]],
  ['a: "\\q"', ['1:5-1:7 "\\q" is not an escape that YAML knows; write "\\\\" for a backslash.']],
  ["a: [1, 2", ['1:9-1:9 A bracket is still open here; close it with "]" or indent this line further.']],
  [
    "a: {b: 1\nc: 2",
    ['2:1-2:2 A bracket is still open here; close it with "}" or indent this line further.'],
  ],
  ["foo\nbar: 1", ['1:1-1:4 "foo" is not a key with a value; add the missing colon, or indent the line.']],
  [
    'say "no"\nbar: 1',
    [
      '1:1-1:9 "say \\"no\\"" is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
    ],
  ],
  [
    "a: &a {}\nb:\n  <<:*a\n  c: 1",
    ['3:3-3:8 "<<:*a" is not a key with a value; put a space after the colon.'],
  ],
  ["a: b\nd:e\nf: g", ['2:1-2:4 "d:e" is not a key with a value; put a space after the colon.']],
  [
    "a: 1\nb # c\nc: 2",
    ['2:1-2:2 "b" is not a key with a value; add the missing colon, or indent the line.'],
  ],
  ["a: 1\n  b: 2", [`2:3-2:7 ${indented}`]],
  ["a:\n  - 1\n - 2", [`3:2-3:5 ${otherIndentation}`]],
  ["a:\n   b:\n  - 1\n", [`3:3-3:6 ${otherIndentation}`]],
  ["a:\n  b: 1\n  # the events\n\n  # of it\n    c:\n      d: 2", [`6:5-6:6 ${otherIndentation}`]],
  ["a:\n  b:\n    c: 1\n  # note\n   d: 2", [`5:4-5:5 ${otherIndentation}`]],
  ["a:\n  b:\n    c: 1\n   d: 2", [`4:4-4:5 ${otherIndentation}`]],
  ["a:\n  - 1\n  # note\n - 2", [`4:2-4:5 ${otherIndentation}`]],
  ["a: |\n    x\n  y\nb: 1", [`3:3-3:4 ${otherIndentation}`]],
  // Entries below a block scalar.
  [
    "text: |\n  a\nThird:\n  b:\n    c: {{d}} e",
    ['5:8-5:10 Text cannot start with "{{" unless it is in quotes.'],
  ],
  ["text: |\n  a\nThird:\n  - {{d}} e", ['4:5-4:7 Text cannot start with "{{" unless it is in quotes.']],
  ["p:\n  text: |\n    a\n  note: b\n    d: e", [`5:5-5:9 ${indented}`]],
  ["fragments:\n  Tone: |\n    a\n  Note: b\n    d: e", [`5:5-5:9 ${indented}`]],
  ["p:\n  text: |\n      a\n  Note: b\n    d: e", [`5:5-5:9 ${indented}`]],
  ["p:\n  text: |\n  Note: b\n    d: e", [`4:5-4:9 ${indented}`]],
  // The fault is at the line below the empty ones.
  ["a:\n  b:\n    c: 1\n\n   d: 2", [`5:4-5:5 ${otherIndentation}`]],
  ["a:\r\n  b:\r\n    c: 1\r\n\r\n  \r\n   d: 2", [`6:4-6:5 ${otherIndentation}`]],
  ["a:\n  b:\n    c: 1\n\n   # note\n\n   d: 2", [`7:4-7:5 ${otherIndentation}`]],
  ["a: |\n    x\n\n\n  y\nb: 1", [`5:3-5:4 ${otherIndentation}`]],
  ["a: |\n  text\n\n# Rules\n\n  more\n", [`4:1-4:2 ${otherIndentation}`]],
  ["a:\n  b: |\n    x\n\n  - y\n  - z\n", [`5:3-5:6 ${otherIndentation}`]],
  [
    "a: 1\n- b: 2\nc: 3",
    [
      '2:1-2:7 "- b: 2" is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
    ],
  ],
  [
    "a:\n  b: 1\n\n  - c\n",
    ["4:3-4:6 The indentation of this line does not match that of the lines before it."],
  ],
  [
    "- a\nb: 1",
    [
      '2:1-2:2 "b" is unexpected here; check the indentation, and put text with special characters in quotes.',
    ],
  ],
  ["a: {b: Hi {x}, c: 1}", [`1:11-1:12 "{" ${misfit}`]],
  ["a: {b: 1}}", [`1:10-1:11 ${noBracket}`]],
  ["a: |x\n  b", ['1:5-1:6 Only a comment may follow "|" or ">" on the same line.']],
  [
    "a: |\n  text\n# Rules\n  more\n",
    ["3:1-3:2 The indentation of this line does not match that of the lines before it."],
  ],
  [
    "a: - b",
    [
      '1:4-1:5 "-" is unexpected here; check the indentation, and put text with special characters in quotes.',
    ],
  ],
  [
    "a: [b,,c]",
    [
      '1:7-1:8 "," is unexpected here; check the indentation, and put text with special characters in quotes.',
    ],
  ],
  [
    "a: &x &y 1",
    [
      '1:7-1:9 "&y" is unexpected here; check the indentation, and put text with special characters in quotes.',
    ],
  ],
  ["a: !x!y 1", ['1:4-1:8 The tag "!x!y" is not valid; put text that starts with "!" in quotes.']],
  // A tag would take the first word of a text with it.
  ["a: !Never tell.\n", [`1:4-1:10 The tag "!Never" ${unknownTag}`]],
  [
    "!k a: !v\nb: !!Never x\nc: !x {d: [!<x:y> 1, !y z]}\ne: !f\n  - !g |\n    h\n",
    [
      `1:1-1:3 The tag "!k" ${unknownTag}`,
      `1:7-1:9 The tag "!v" ${unknownTag}`,
      `3:22-3:24 The tag "!y" ${unknownTag}`,
    ],
  ],
  [
    "a: *b\nc: !d e\n",
    ['1:4-1:6 The alias "*b" has no anchor "&b" before it.', `2:4-2:6 The tag "!d" ${unknownTag}`],
  ],
  [
    "a:\n  b: 1\n   c: 2\nd: @\ne: [1",
    [
      `3:4-3:8 ${indented}`,
      '4:4-4:5 Text cannot start with "@" unless it is in quotes.',
      '5:6-5:6 A bracket is still open here; close it with "]" or indent this line further.',
    ],
  ],
  ["a: ? b\nc: 1\n", ['1:4-1:5 Text cannot start with "?" unless it is in quotes.']],
  ["a:\n  - b: ? c: d\n", ['2:8-2:9 Text cannot start with "?" unless it is in quotes.']],
  ["a:\n  b: |\n    \n\n       \n     \n    c\n    d: e\n", [`7:5-7:6 ${wideLine}`]],
  ["a: >-\r\n    \r\n  b\r\n", [`3:3-3:4 ${wideLine}`]],
  [
    "a: 1\n\f\n",
    [
      '2:1-2:2 "\\u000c" is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
    ],
  ],
  [
    "a: 1\n\ufeff \nb: 2\n",
    [
      '2:1-2:2 "\\ufeff" is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
    ],
  ],
  [
    "a: 1\n\u200b\nb: 2\n",
    ['2:1-2:2 "\\u200b" is not a key with a value; add the missing colon, or indent the line.'],
  ],
  // Each broken entry is reported, but not what follows from its mistake.
  [
    "p:\n  a:\n    x: 1\n     y: 2\n    z: @\n  b:\n    x: {y: 1}}\n    z: 1\n",
    [
      `4:6-4:10 ${indented}`,
      '5:8-5:9 Text cannot start with "@" unless it is in quotes.',
      `7:14-7:15 ${noBracket}`,
    ],
  ],
  ["a: {\n\tb: 1\n}\n", ["2:1-2:2 A tab cannot indent a line in YAML; use spaces."]],
  ["a: {\n  b: 1\n\t}\n", ["3:1-3:2 A tab cannot indent a line in YAML; use spaces."]],
  [
    "a:\n  b: {\n    c: d\n }\n",
    [`4:2-4:3 A bracket is still open here; close it with "}" or indent this line further.`],
  ],
  [
    "p:\n  a: {\n    b: c\n}\n",
    [`4:1-4:2 A bracket is still open here; close it with "}" or indent this line further.`],
  ],
  // Faults within one value do not affect the next.
  [
    'a: ["\\d",\n  "\\w", @b,\n  c]',
    [
      '1:6-1:8 "\\d" is not an escape that YAML knows; write "\\\\" for a backslash.',
      '2:4-2:6 "\\w" is not an escape that YAML knows; write "\\\\" for a backslash.',
    ],
  ],
  [
    'a: "x {\n}"\n',
    ["1:4-1:8 This text in quotes is not closed; close it, or indent the lines that continue it."],
  ],
  [
    'a: "x: {{y}}" z\n',
    [
      "1:15-1:16 The text in quotes ends before this; put quotes around the whole value, and escape those inside it.",
    ],
  ],
  // Rejected by the fast parser only.
  ["a: \u0001", ["1:4-1:5 The file is not valid YAML: the stream contains non-printable characters."]],
  ["a: \0", ["1:4-1:5 The file is not valid YAML: null byte is not allowed in input."]],
  ["%FOO\n", ["2:1-2:1 The file is not valid YAML: directives end mark is expected."]],
  // Valid YAML, but not a pack.
  [
    "a:\n  b: |\n    Hi\n  City: {{city}}\n  c: {{d}}\ne: >-\nTown: {{town}}\n",
    [
      '4:10-4:11 A mapping cannot be a key; put text that starts with "{{" in quotes.',
      '5:7-5:8 A mapping cannot be a key; put text that starts with "{{" in quotes.',
      '7:8-7:9 A mapping cannot be a key; put text that starts with "{{" in quotes.',
    ],
  ],
  ["a: {{name}}", ['1:5-1:6 A mapping cannot be a key; put text that starts with "{{" in quotes.']],
  // Each of them, and beside what is a syntax error.
  [
    "a: {{x}}\nb:\n  - {{y}}\n  - z: {{w}}\nc: @",
    [
      '1:5-1:6 A mapping cannot be a key; put text that starts with "{{" in quotes.',
      '3:6-3:7 A mapping cannot be a key; put text that starts with "{{" in quotes.',
      '4:9-4:10 A mapping cannot be a key; put text that starts with "{{" in quotes.',
      '5:4-5:5 Text cannot start with "@" unless it is in quotes.',
    ],
  ],
  [
    "a: {{x}}\nb: {c: {{y}}}\n",
    [
      '1:5-1:6 A mapping cannot be a key; put text that starts with "{{" in quotes.',
      '2:9-2:10 A mapping cannot be a key; put text that starts with "{{" in quotes.',
    ],
  ],
  ["? [a]\n: b", ["1:3-1:4 A list cannot be a key; write the key as text."]],
  ["a: 1\n---\nb: 2\n", ["2:1-2:4 The file holds several YAML documents."]],
  ["a: |\n  ---\n...\n# c\nb: 2\n", ["5:1-5:2 The file holds several YAML documents."]],
  ["---\na: 1\n---\n# end\n\n", [`3:1-3:4 ${loneMarker}`]],
  ["a: 1\n--- # end", [`2:1-2:4 ${loneMarker}`]],
  ["a: 1\n---\n{}\n---\n", ["2:1-2:4 The file holds several YAML documents."]],
  [
    "a:\n  b: { c: 3,\nd: { e: f } }\n",
    [
      '3:1-3:2 A bracket is still open here; close it with "}" or indent this line further.',
      '3:13-3:14 "}" is unexpected here; check the indentation, and put text with special characters in quotes.',
    ],
  ],
  // Lines inside brackets look like entries if they are not indented.
  [
    "a:\n  b: { c: {\n  d: 1\n  },\n  e: 2 }\n  f: @\n",
    [
      '3:3-3:4 A bracket is still open here; close it with "}" or indent this line further.',
      '4:3-4:4 "}" is unexpected here; check the indentation, and put text with special characters in quotes.',
      '6:6-6:7 Text cannot start with "@" unless it is in quotes.',
    ],
  ],
  [
    "a: [\nb,\nc\n]\n",
    ['2:1-2:2 A bracket is still open here; close it with "]" or indent this line further.'],
  ],
  // A bracket further down that closes another, or none.
  [
    "a: { b: 1\nc: { d: 2 }}\n",
    [
      '2:1-2:2 A bracket is still open here; close it with "}" or indent this line further.',
      '2:12-2:13 "}" is unexpected here; check the indentation, and put text with special characters in quotes.',
    ],
  ],
  [
    "a: { b: 1\nc: { d: 2 }\n",
    ['2:1-2:2 A bracket is still open here; close it with "}" or indent this line further.'],
  ],
  // A colon or a space is missing before a bracket.
  [
    "a { b: 1, c: 2 }\n",
    ['1:8-1:17 A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.'],
  ],
  [
    "a:\n  - b:{ c: 1, d: 2 }\n",
    ['2:12-2:21 A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.'],
  ],
  // Two keys of one line that a strange space indents.
  ["a: {\n\u00a0b: 1, \u00a0c: 2 }\n", ["2:1-2:2 YAML reads a no-break space as text; use a plain space."]],
  // Text among the entries of a key that takes no text.
  [
    'fragments:\n  Greeting: Hello dear friend\n  and welcome to our shop.\n  Tone: Be nice: always\n  Close: "Bye\na: b\n',
    [
      `3:3-3:27 "and welcome to our shop." ${noKey}`,
      '4:9-4:24 A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.',
      "5:10-5:14 This text in quotes is not closed; close it, or indent the lines that continue it.",
    ],
  ],
  ["metadata:\n  Owner: Team Blue\n  contact me by mail\n", [`3:3-3:21 "contact me by mail" ${noKey}`]],
  [
    "prompts:\n  Support Agent:\n    id: a\n  you are a helper for us.\n",
    [`4:3-4:27 "you are a helper for us." ${noKey}`],
  ],
  [
    'fragments:\n  Main Tone: "be kind\n  rules of the house\n  x: y"\n',
    ["2:14-2:22 This text in quotes is not closed; close it, or indent the lines that continue it."],
  ],
  [
    "fragments:\n  Main Tone: { a: b\n  three words here\n",
    ['3:3-3:4 A bracket is still open here; close it with "}" or indent this line further.'],
  ],
  // A comment inside a value.
  ["metadata:\n  Owner is\n  # the\n  Team Blue\n", [`4:3-4:4 ${otherIndentation}`]],
  ["description:\n  one\n  # the\n  two: 2\n", [`4:3-4:4 ${otherIndentation}`]],
  // A comment after a value.
  [
    "a:\n  - description:\n      The first\n    # note\n    b: c: d\n",
    ['5:8-5:12 A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.'],
  ],
  ["description:\n  Sorts the mail\n  # note\nname: Bot\n", []],
  // Code in Markdown, which is a part of the text before it or stands around the file or a value.
  ["a:\n  b: | # text\n    c\n```json\n{}\n```\nd: 1\n", [`4:1-4:8 "\`\`\`json" ${noMarkdown}`]],
  ["a:\n  - b: |-\n      c\n    ```json\n    {}\n", [`4:5-4:12 "\`\`\`json" ${noMarkdown}`]],
  ["a: >-\n```json\n{}\n```\nb: 1\n", [`2:1-2:8 "\`\`\`json" ${noMarkdown}`]],
  ["a:\n  b: |\n    c\n```\n# end\n", [`4:1-4:4 "\`\`\`" ${noMarkdown}`]],
  ["a:\n  b: c\n```\nThis is all.\n", [`3:1-3:4 "\`\`\`" ${noMarkdown}`]],
  ["parameters:\n  ```json\n  {}\n  ```\n", [`2:3-2:10 "\`\`\`json" ${noMarkdown}`]],
  ["a:\n  b: |\n    c\n  d: 1\n  ```\n", [`5:3-5:6 "\`\`\`" ${noMarkdown}`]],
  ["  ```yaml\n  a: b\n", [`1:3-1:10 "\`\`\`yaml" ${noMarkdown}`]],
  // A state of that name.
  [
    "states:\n  fragments:\n    on_event:\n      Done: a\n      Retry it now\n",
    [`5:7-5:19 "Retry it now" ${noKey}`],
  ],
  [
    "message:\n  id: a\n  Be very kind.\n",
    [
      '3:3-3:16 "Be very kind." is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
    ],
  ],
  // Keys in quotes that hold a colon.
  ['a:\n  "note: x": y\n  b: [1, 2\n  c: 2\n', [`4:3-4:4 ${stillOpen}`]],
  ['a:\n  - "note: \\"x\\"" :\n    b: [1, 2\n    c: 2\n', [`4:5-4:6 ${stillOpen}`]],
  ["a:\n  'note: it''s #1': y\n  b: [1, 2\n  c: 2\n", [`4:3-4:4 ${stillOpen}`]],
  // Below a block of text, a key or a part of that text.
  ['a: |\n  b\n"Tone: warm"\nc: 1\n', [`3:1-3:13 "Tone: warm" ${noKey}`]],
  ['a:\n  b: |\n    c\n  "Tone: warm\n  d: 1\n', [`4:3-4:14 "\\"Tone: warm" ${noKey}`]],
  // Quoted text with a line that starts like a key.
  ['a:\n  - "Question: b\n    Answer: \\q"\n  - c\n', [`3:13-3:15 ${unknownEscape}`]],
  ['a:\n  b:\n    "Question: b\n\n    Answer: \\"c\\" \\q" # d\n  e: 1\n', [`5:19-5:21 ${unknownEscape}`]],
  // Prose.
  ["a:\n  - returns {status: ok}\n  - see [b: c]\n// b: c\n", []],
  ["a: { b {c: 1} }\n", ["1:8-1:9 A comma is missing between the entries."]],
  [
    '{\n  "a": "b" // two\n}\n',
    [
      '2:12-2:18 "// two" is unexpected here; check the indentation, and put text with special characters in quotes.',
    ],
  ],
];

describe("findYamlFaults", () => {
  it.each(cases)("reports the faults of %j", (text, faults) => {
    expect(faultsOf(readDocument(text, "yaml"))).toEqual(faults);
  });

  it.each(["", "\n\n", "# only a comment\n", "---\n", "---\n...\n"])("calls %j empty", (text) => {
    expect(faultsOf(readDocument(text, "yaml"))).toEqual(["1:1-1:1 The file is empty."]);
  });

  it("accepts a no-break space that does not indent a key", () => {
    const text = "a: \u00a0b\n'\u00a0c':\n  - \u00a0d: 1\n  -\n    \u00a0e\n";
    expect(faultsOf(readDocument(text, "yaml"))).toEqual([]);
  });

  it("accepts unusual keys", () => {
    const text =
      "a[0]: [b]\n$ref {c}: {d: e}\nf { g: h\nUse the {i: j}\nk: {//: l, //m/n: o, /*: p}\n'q { r': s }\nt [u: v} w\n";
    expect(faultsOf(readDocument(text, "yaml"))).toEqual([]);
  });

  it("accepts a tag if the file declares tags", () => {
    expect(faultsOf(readDocument("%TAG !e! tag:example.org,2026:\n---\na: !e!b c\n", "yaml"))).toEqual([]);
  });

  it.each(["a: @\n", "- !a b\n"])("stops after twenty faults, such as %j", (line) => {
    expect(readDocument(line.repeat(50), "yaml").faults).toHaveLength(20);
  });
});

const callsIn = (error: Error): number => (error.stack ?? "").split("\n").length - 1;

describe("withoutStackTraces", () => {
  it("creates errors without a stack trace only while the work runs", () => {
    expect(withoutStackTraces(() => callsIn(new Error("a")))).toBe(0);
    expect(callsIn(new Error("b"))).toBeGreaterThan(0);
  });

  it("restores the limit if the work throws", () => {
    const limit = Error.stackTraceLimit;
    expect(() =>
      withoutStackTraces(() => {
        throw new RangeError("too deep");
      }),
    ).toThrow("too deep");
    expect(Error.stackTraceLimit).toBe(limit);
  });
});
