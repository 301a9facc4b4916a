import { describe, expect, it } from "vitest";
import { parseAssignment, parseEventList } from "../../src/simulate/event-list.js";

describe("a list of events", () => {
  it.each([
    ["", []],
    ["A", [{ event: "A", assignments: [] }]],
    [
      " A , B,",
      [
        { event: "A", assignments: [] },
        { event: "B", assignments: [] },
      ],
    ],
    ["A[x=1]", [{ event: "A", assignments: [{ name: "x", value: "1" }] }]],
    [
      "A[x=1, 2][y= a=b ] ,B",
      [
        {
          event: "A",
          assignments: [
            { name: "x", value: "1, 2" },
            { name: "y", value: " a=b " },
          ],
        },
        { event: "B", assignments: [] },
      ],
    ],
    [
      String.raw`A\,B\[1\],C[x=\]]`,
      [
        { event: "A,B[1]", assignments: [] },
        { event: "C", assignments: [{ name: "x", value: "]" }] },
      ],
    ],
    [
      'A[x={"items":["car",[1]],"sum":5}][y=[]],B',
      [
        {
          event: "A",
          assignments: [
            { name: "x", value: '{"items":["car",[1]],"sum":5}' },
            { name: "y", value: "[]" },
          ],
        },
        { event: "B", assignments: [] },
      ],
    ],
    [
      String.raw`A[x=\[a][y=[\]]]`,
      [
        {
          event: "A",
          assignments: [
            { name: "x", value: "[a" },
            { name: "y", value: "[]]" },
          ],
        },
      ],
    ],
    [
      String.raw` \ A\ \  [ \ x =1] ,\ `,
      [
        { event: " A  ", assignments: [{ name: " x", value: "1" }] },
        { event: " ", assignments: [] },
      ],
    ],
  ])("%s", (text, events) => {
    expect(parseEventList(text)).toEqual(events);
  });

  it.each([
    ["A,,B", "There is an empty name among the events."],
    [",A", "There is an empty name among the events."],
    ["[x=1]", "There is an empty name among the events."],
    ["A[x]", '"[x]" in the events is not an assignment: write [name=value].'],
    [
      "A[x=a[b],B",
      String.raw`"[x=a[b],B" in the events is not closed: add "]", or write \[ for a lone bracket in a value.`,
    ],
    [
      "A[x=1]B",
      String.raw`"B" in the events follows a "]": put a comma between two events, or write \] if the bracket is part of a value.`,
    ],
  ])("%s is rejected", (text, message) => {
    expect(() => parseEventList(text)).toThrow(message);
  });
});

describe("an assignment", () => {
  it("takes everything after the first equals sign", () => {
    expect(parseAssignment("a = b=c")).toEqual({ name: "a", value: " b=c" });
    expect(parseAssignment("__proto__=x")).toEqual({ name: "__proto__", value: "x" });
    expect(parseAssignment("a=")).toEqual({ name: "a", value: "" });
  });

  it.each(["a", "=a", ""])("%j is rejected", (text) => {
    expect(() => parseAssignment(text)).toThrow(`"${text}" is not an assignment: write name=value.`);
  });
});
