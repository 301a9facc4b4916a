import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";

/** A text with a missing or an extra bracket, and the related place of its fault. */
const cases: ["json" | "yaml", string, string[]][] = [
  ["json", '{\n  "a": [1, 2],\n  "b": {\n  }\n', ["1:1 opened here"]],
  ["json", '{\n  "a": [\n    1', ["2:8 opened here"]],
  ["json", '{\n  "a": {\n    "b": {\n      "c": 1\n  },\n  "d": 1\n}\n', ["1:1 opened here"]],
  ["json", '{"a":{"b":1},\n"c":[1', ["2:5 opened here"]],
  ["json", '{"a":["b","c"},"d":2}', ["1:6 opened here"]],
  ["json", '{"a":{"b":1],"d":2}', ["1:6 opened here"]],
  ["json", '{"a":["b",\n"c":2}', ["1:6 opened here"]],
  // An extra bracket is not guessed from the indentation.
  ["json", '{\n  "a": {\n    "b": 1\n  }}\n}\n', []],
  ["json", '{\n  "a": {\n    "b": 1\n  }\n}\n}\n', []],
  ["json", '{\n  "a": {}\n}}\n', []],
  ["json", '{"a": @,\n"b": {"c": 1', ["2:6 opened here"]],
  ["yaml", "a: [1, 2\nb: 3\n", ["1:4 opened here"]],
  ["yaml", 'a: {b: [1], c: "]}", # }\n  d: {e: 1}\nf: 2\n', ["1:4 opened here"]],
  ["yaml", "a:\n  - b: [c, [d]\n  - e\n", ["2:8 opened here"]],
  ["yaml", "a: [1}\n", ["1:4 opened here"]],
];

describe("a missing or extra bracket", () => {
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
