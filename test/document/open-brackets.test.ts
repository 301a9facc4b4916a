import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";

const likely = "probably this one, judging by the indentation";
const extra = "probably this one is too many, judging by the indentation";

/** A text with a bracket too few or too many, and the place told with the fault. */
const cases: ["json" | "yaml", string, string[]][] = [
  ["json", '{\n  "a": [1, 2],\n  "b": {\n  }\n', ["1:1 opened here"]],
  ["json", '{\n  "a": [\n    1', ["2:8 opened here"]],
  ["json", '{\n  "a": {\n    "b": {\n      "c": 1\n  },\n  "d": 1\n}\n', [`3:10 ${likely}`]],
  ["json", '{"a":{"b":1},\n"c":[1', ["2:5 opened here"]],
  ["json", '{"a":["b","c"},"d":2}', ["1:6 opened here"]],
  ["json", '{"a":{"b":1],"d":2}', ["1:6 opened here"]],
  ["json", '{"a":["b",\n"c":2}', ["1:6 opened here"]],
  [
    "json",
    '{\n  "a": {\n    "b": { "c": {} }},\n    "d": { "e": [] }\n  },\n  "f": 1\n}\n',
    [`3:21 ${extra}`],
  ],
  ["json", '{\n  "a": [\n    1\n  ]},\n  "b": { "c": 1 }\n}\n', []],
  ["json", '{\n  "a": {\n    "b": {\n      "c": 1\n    }\n    }\n  }\n}\n', [`6:5 ${extra}`]],
  ["json", '{\n  "a": {\n    "b": 1\n  }}\n}\n', [`4:4 ${extra}`]],
  // Closers that stand elsewhere tell nothing, nor does one that the others do not follow.
  ["json", '{\n  "a": {\n    "b": {\n      "c": 1\n      }\n    },\n  "d": {\n    "e": 1\n    }}\n  }\n', []],
  [
    "json",
    '{\n  "a": {\n    "b": { "c": 1 },\n    "d": {\n      "e": 1\n      }\n  },\n  "f": {\n  }\n}\n}\n',
    [],
  ],
  ["json", '{\n  "a": {\n    "b": { "c": 1 },\n    "d": 1\n    },\n  "f": {\n  }\n}\n}\n', []],
  // What was closed before is not what a bracket was meant for.
  [
    "json",
    '{\n  "a": {\n    "b": { "c": 1 }\n  },\n  "d": {\n      "e": 1\n    }\n  }\n}\n',
    [`7:5 ${extra}`],
  ],
  // The mark itself is the bracket that is too many.
  ["json", '{\n  "a": {\n    "b": 1\n  }\n}\n}\n', []],
  ["json", '{\n  "a": {}\n}}\n', []],
  // On one line there is no indentation, and two values have no bracket too many.
  ["json", '{"a":{"b":1}},"c":2}', []],
  ["json", '{\n  "a": {\n    "b": {}\n    }\n}\n{}\n', []],
  // Behind another mistake the brackets cannot be trusted.
  ["json", '{"a": @,\n"b": {"c": 1', []],
  ["yaml", "a: [1, 2\nb: 3\n", ["1:4 opened here"]],
  ["yaml", 'a: {b: [1], c: "]}", # }\n  d: {e: 1}\nf: 2\n', ["1:4 opened here"]],
  ["yaml", "a:\n  - b: [c, [d]\n  - e\n", ["2:8 opened here"]],
  ["yaml", "a: [1}\n", ["1:4 opened here"]],
];

describe("a bracket that is not closed, or closed twice", () => {
  it.each(cases)("in %s %j", (format, text, related) => {
    const { faults, lines } = readDocument(text, format);
    expect(
      faults.flatMap((fault) =>
        (fault.related ?? []).map(({ at, message }) => {
          const { line, column } = lines.position(at.start);
          return `${line}:${column} ${message}`;
        }),
      ),
    ).toEqual(related);
  });
});
