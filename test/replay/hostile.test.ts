import { describe, expect, it } from "vitest";
import { isFull } from "../runs.js";
import { heldAgainst, linesOf } from "./held-against.js";

const pack = `
id: odd
workflow:
  version: 2
  entry: a
  states:
    a: { on_event: { Go: a, Stop: b } }
    b: { terminal: true }
    __proto__: { on_event: { toString: b } }
`;
const start = '{"record":"start","schemaVersion":1,"pack":{},"state":"a"}';

function move(step: number, more = ""): string {
  return `{"record":"transition","step":${step},"from":"a","event":"Go","to":"a","visit":${step + 1},"total":${step + 1},"artifacts":{}${more}}`;
}

describe("records that mean harm", () => {
  it.runIf(isFull)("takes fifty thousand lines", () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => move(index + 1));
    const end = '{"record":"end","status":"running","state":"a","steps":50000,"total":50001,"artifacts":{}}';
    const { diagnostics, text } = heldAgainst(pack, [start, ...lines, end].join("\n"));
    expect(diagnostics).toEqual([]);
    expect(text.split("\n").length).toBe(105);
    expect(text).toContain("(49900 earlier transitions not shown.)");
  });

  it.runIf(isFull)("takes as many mistakes", () => {
    const wrong = Array.from({ length: 20_000 }, (_, index) =>
      move(1).replace('"to":"a"', `"to":"x${index}"`),
    );
    const { diagnostics } = heldAgainst(pack, [start, ...wrong].join("\n"));
    expect(diagnostics.filter(({ rule }) => rule === "run-unknown-state").length).toBe(20_000);
  });

  it.each([
    ["run-unknown-state", (index: number) => move(1).replace('"to":"a"', `"to":"state${index}x"`)],
    ["run-unknown-event", (index: number) => move(1).replace('"Go"', `"Event${index}x"`)],
    [
      "run-undeclared-artifact",
      (index: number) => move(1).replace('"artifacts":{}', `"artifacts":{"sha${index}x":""}`),
    ],
  ])("suggests a name for the first three hundred findings of %s", (rule, wrong) => {
    const names = Array.from({ length: 400 }, (_, index) => index);
    const events = names.map((index) => `Event${index}: b`).join(", ");
    const artifacts = names.map((index) => `sha${index}: { type: text/plain }`).join(", ");
    const states = names.map((index) => `    state${index}: { terminal: true }\n`).join("");
    const large =
      pack.replace("{ Go: a, Stop: b }", `{ Go: a, ${events} }, artifacts: { ${artifacts} }`) + states;
    const { diagnostics } = heldAgainst(large, [start, ...names.map(wrong)].join("\n"));
    const found = diagnostics.filter((diagnostic) => diagnostic.rule === rule);
    expect(found.map(({ message }) => message.includes("Did you mean"))).toEqual(
      names.map((index) => index < 300),
    );
  });

  it("says of each line that is no object that it is none, and shows what comes before", () => {
    const { diagnostics, text } = heldAgainst(pack, [start, "7", '"x"', "[]", "null", move(1)].join("\n"));
    expect(linesOf(diagnostics)).toEqual([
      "2 parse-error: Each line of a record is a JSON object; this one is not. Only the lines before this one are checked.",
      "3 parse-error: Each line of a record is a JSON object; this one is not.",
      "4 parse-error: Each line of a record is a JSON object; this one is not.",
      "5 parse-error: Each line of a record is a JSON object; this one is not.",
    ]);
    expect(text.split("\n").filter((line) => line.startsWith("→"))).toEqual([
      expect.stringMatching(/^→ a +│ \(entry\)/),
    ]);
  });

  it("takes numbers of any size", () => {
    const huge = move(1)
      .replace('"total":2', '"total":1e999')
      .replace('"visit":2', '"visit":9007199254740993');
    const { diagnostics } = heldAgainst(pack, [start, huge].join("\n"));
    expect(diagnostics.map(({ rule }) => rule)).toEqual(["run-incomplete", "run-counts", "run-record"]);
  });

  it("takes names of the language for names", () => {
    const state = '"__proto__"';
    const lines = [
      start.replace('"a"', state),
      `{"record":"transition","step":1,"from":${state},"event":"toString","to":"b","visit":1,"total":2,"artifacts":{"__proto__":"x","constructor":"y"}}`,
      '{"record":"end","status":"complete","state":"b","steps":1,"total":2,"artifacts":{"__proto__":"x","constructor":"y"}}',
    ];
    expect(linesOf(heldAgainst(pack, lines.join("\n")).diagnostics)).toEqual([
      '1 run-start: The run starts in "__proto__", but runs of this workflow start in "a".',
      '2 run-undeclared-artifact: No state declares the artifact "__proto__".',
      '2 run-undeclared-artifact: No state declares the artifact "constructor".',
    ]);
  });

  it("reads a record of which nothing is right", () => {
    const odd =
      '{"current_state":[],"history":[1,{},{"from":1}],"visit_counts":[],"artifacts":7,"started_at":0}';
    const { diagnostics } = heldAgainst(pack, odd);
    expect([...new Set(diagnostics.map(({ rule }) => rule))]).toEqual(["run-record"]);
  });
});
