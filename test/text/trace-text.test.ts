import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TraceStep } from "../../src/diagnostic.js";
import { textWidth } from "../../src/text/terminal-text.js";
import { traceLines } from "../../src/text/format-trace.js";
import { codegenSteps } from "../reporters/sample-report.js";
import { isFull } from "../runs.js";

function chain(...states: string[]): TraceStep[] {
  return states.slice(1).map((to, index) => ({ from: states[index] ?? "", event: `To${to}`, to }));
}

describe("traceLines", () => {
  it("prints a stem with its laps folded, and the loop on a line of its own", () => {
    expect(traceLines({ steps: codegenSteps, loopFrom: 21 })).toEqual([
      "plan ─PlanReady→ implement ─CodeReady→ test ─TestsFailed→ implement … (10 visits) ─CodeReady→ test ─TestsPassed→ review",
      "↻ review ─ChangesNeeded→ implement ⇒ review",
    ]);
  });

  it("wraps between the moves", () => {
    expect(traceLines({ steps: codegenSteps, loopFrom: 21 }, 60)).toEqual([
      "plan ─PlanReady→ implement ─CodeReady→ test",
      "  ─TestsFailed→ implement … (10 visits) ─CodeReady→ test",
      "  ─TestsPassed→ review",
      "↻ review ─ChangesNeeded→ implement ⇒ review",
    ]);
  });

  it("prints nothing for a run without steps", () => {
    expect(traceLines({ steps: [] })).toEqual([]);
    expect(traceLines({ steps: [], loopFrom: 0 })).toEqual([]);
  });

  it("prints only the loop of a run that starts in it", () => {
    expect(traceLines({ steps: chain("a", "b", "a"), loopFrom: 0 })).toEqual(["↻ a ─Tob→ b ─Toa→ a"]);
  });

  it("writes out what stands there twice, and folds what stands there three times", () => {
    expect(traceLines({ steps: chain("a", "a", "a", "b") })).toEqual(["a ─Toa→ a ─Toa→ a ─Tob→ b"]);
    expect(traceLines({ steps: chain("a", "a", "a", "a", "b") })).toEqual(["a ─Toa→ a … (4 visits) ─Tob→ b"]);
  });

  it.each([
    ["event", [{ event: "E" }, { event: "F" }, { event: "E" }, { event: "G" }], "a ─E→ a ─F→ a ─E→ a ─G→ a"],
    ["way", [{ forced: ["b"] }, { forced: ["c"] }, { forced: ["b"] }], "a ─E→ b ⇒ a ─E→ c ⇒ a ─E→ b ⇒ a"],
    ["length of the way", [{}, { forced: ["b"] }, { forced: ["b"] }], "a ─E→ a ─E→ b ⇒ a ─E→ b ⇒ a"],
    ["target", [{}, {}, { to: "b" }], "a ─E→ a ─E→ a ─E→ b"],
    ["origin", [{ from: "b" }, {}, {}], "b ─E→ a ─E→ a ─E→ a"],
  ])("does not fold steps that differ in their %s", (_, parts, line) => {
    const steps = parts.map((part): TraceStep => ({ from: "a", event: "E", to: "a", ...part }));
    expect(traceLines({ steps })).toEqual([line]);
  });

  it("folds laps within laps", () => {
    const lap = ["b", "a", "b", "a", "b", "a", "c", "a"];
    expect(traceLines({ steps: chain("a", ...lap, ...lap, ...lap, "z") })).toEqual([
      "a ─Tob→ b ─Toa→ a … (4 visits) ─Toc→ c ─Toa→ a … (13 visits) ─Toz→ z",
    ]);
  });

  it("shows every spent state an attempt passed through", () => {
    const steps = [{ from: "a", event: "E", to: "d", forced: ["b", "c"] }];
    expect(traceLines({ steps })).toEqual(["a ─E→ b ⇒ c ⇒ d"]);
  });

  it("quotes names that could be read as something else", () => {
    const steps = [{ from: "a ─X→ b", event: "\u001b[2J", to: "" }];
    expect(traceLines({ steps })).toEqual(['"a ─X→ b" ─"\\u001b[2J"→ ""']);
  });

  it.runIf(isFull)("leaves out the middle of a long run and says how much", () => {
    const states = Array.from({ length: 100_001 }, (_, index) => `s${index}`);
    const [line = "", ...rest] = traceLines({ steps: chain(...states) });
    expect(rest).toEqual([]);
    expect(line).toMatch(/^s0 ─Tos1→ s1 /);
    expect(line).toContain("─Tos24→ s24 … (99968 more steps) … s99992 ─Tos99993→ s99993");
    expect(line).toMatch(/─Tos100000→ s100000$/);
  });

  it("can be read back as the very run", () => {
    const states = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1 });
    const outer = fc.uniqueArray(fc.constantFrom("v", "w", "x", "y"));
    fc.assert(
      fc.property(outer, states, fc.integer({ min: 1, max: 12 }), outer, (before, lap, times, after) => {
        const steps = chain(...before, ...Array.from({ length: times }, () => lap).flat(), ...after);
        fc.pre(steps.length > 0);
        expect(readBack(traceLines({ steps })[0] ?? "")).toEqual(steps);
      }),
    );
  });

  it("keeps to its width", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 2 }),
        fc.integer({ min: 8, max: 60 }),
        (states, width) => {
          for (const line of traceLines({ steps: chain(...states), loopFrom: 1 }, width)) {
            expect(textWidth(line)).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });
});

/** Reads a printed run as a person would: `… (n visits)` repeats the lap since the state was left last. */
function readBack(line: string): TraceStep[] {
  const [first = "", ...moves] = line.split(/ (?=─|…)/);
  const run = [first];
  for (const move of moves) {
    const visits = /^… \((\d+) visits\)$/.exec(move)?.[1];
    if (visits === undefined) {
      run.push(move.split("→ ")[1] ?? "");
      continue;
    }
    const home = run.at(-1);
    const lap = run.slice(run.lastIndexOf(home ?? "", run.length - 2) + 1);
    while (run.filter((state) => state === home).length < Number(visits)) run.push(...lap);
  }
  return chain(...run);
}
