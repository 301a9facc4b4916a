import { describe, expect, it } from "vitest";
import { parseAssignment, parseEventList } from "../../src/simulate/event-list.js";

describe("a list of events", () => {
  it.each([
    ["", []],
    ["A", [{ event: "A", assignments: [], spending: [], answers: [] }]],
    [
      " A , B,",
      [
        { event: "A", assignments: [], spending: [], answers: [] },
        { event: "B", assignments: [], spending: [], answers: [] },
      ],
    ],
    ["A[x=1]", [{ event: "A", assignments: [{ name: "x", value: "1" }], spending: [], answers: [] }]],
    [
      "A[route no] [tools 3][ urgent  Y ],B[x=no]",
      [
        {
          event: "A",
          assignments: [],
          spending: [{ toolCalls: 3, seconds: 0 }],
          answers: [
            { name: "route", value: false },
            { name: "urgent", value: true },
          ],
        },
        { event: "B", assignments: [{ name: "x", value: "no" }], spending: [], answers: [] },
      ],
    ],
    [
      "A[x=1, 2][y= a=b ] ,B",
      [
        {
          event: "A",
          assignments: [
            { name: "x", value: "1, 2" },
            { name: "y", value: " a=b " },
          ],
          spending: [],
          answers: [],
        },
        { event: "B", assignments: [], spending: [], answers: [] },
      ],
    ],
    [
      String.raw`A\,B\[1\],C[x=\]]`,
      [
        { event: "A,B[1]", assignments: [], spending: [], answers: [] },
        { event: "C", assignments: [{ name: "x", value: "]" }], spending: [], answers: [] },
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
          spending: [],
          answers: [],
        },
        { event: "B", assignments: [], spending: [], answers: [] },
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
          spending: [],
          answers: [],
        },
      ],
    ],
    [
      String.raw` \ A\ \  [ \ x =1] ,\ `,
      [
        { event: " A  ", assignments: [{ name: " x", value: "1" }], spending: [], answers: [] },
        { event: " ", assignments: [], spending: [], answers: [] },
      ],
    ],
    [
      "A[tools 3][x=1] [ seconds  20 ],B[tools=4][tools 1]",
      [
        {
          event: "A",
          assignments: [{ name: "x", value: "1" }],
          spending: [
            { toolCalls: 3, seconds: 0 },
            { toolCalls: 0, seconds: 20 },
          ],
          answers: [],
        },
        {
          event: "B",
          assignments: [{ name: "tools", value: "4" }],
          spending: [{ toolCalls: 1, seconds: 0 }],
          answers: [],
        },
      ],
    ],
  ])("%s", (text, events) => {
    expect(parseEventList(text)).toEqual(events);
  });

  it.each([
    ["A,,B", "There is an empty name among the events."],
    [",A", "There is an empty name among the events."],
    ["[x=1]", "There is an empty name among the events."],
    [
      "A[x]",
      '"[x]" in the events is not an assignment: write [name=value], [tools 3], [seconds 20], or [branch no].',
    ],
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
