import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findFacts } from "../../src/machine/exact-facts.js";
import { rfcReading } from "../../src/machine/machine.js";
import { promptkit } from "../../src/runtimes/promptkit.js";
import { readingOf } from "../../src/runtimes/runtime.js";
import type { Verdict } from "../../src/properties/check-property.js";
import type { Pattern, Property, Step } from "../../src/properties/property.js";
import { type Flow, type FlowState, machineOf, randomFlow, Walker } from "../machine/flow.js";
import { makeWorkHarder } from "../machine/less-work.js";
import { isJudged, judge, located, propertyOf, randomProperty } from "./brute-force.js";
import { checkAgainstTruth, checkRun, verdictOf } from "./check.js";

const flowAndProperties = randomFlow(5).chain((flow) =>
  fc.tuple(fc.constant(flow), fc.array(randomProperty(flow), { minLength: 3, maxLength: 3 })),
);
const kinds: Pattern["kind"][] = [
  "never",
  "never-before",
  "never-after",
  "eventually",
  "at-most",
  "ends-in",
  "always-possible",
  "possible",
];

function countTo(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

afterEach(() => void vi.restoreAllMocks());

it.each([
  ["the RFC", rfcReading],
  ["PromptKit", readingOf(promptkit) ?? expect.unreachable()],
])("agrees with brute force about the machine of %s", (_, reading) => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(flowAndProperties, ([flow, properties]) => {
      for (const property of properties) {
        const truth = checkAgainstTruth(flow, property, reading);
        countTo(seen, `${property.pattern.kind} ${truth.kind}`);
        if (truth.kind === "broken" && truth.endless === true) countTo(seen, "endless");
      }
    }),
    { numRuns: 5_000 },
  );
  for (const kind of kinds)
    for (const verdict of ["holds", "broken"]) expect(seen.get(`${kind} ${verdict}`)).toBeGreaterThan(100);
  expect(seen.get("endless")).toBeGreaterThan(100);
  for (const kind of ["always-possible", "possible"])
    expect(seen.get(`${kind} not-judged`)).toBeGreaterThan(50);
});

describe("too many runs", () => {
  it("claim nothing that is not true, wherever the work ends", () => {
    let factor = 1;
    makeWorkHarder(() => factor, 1);
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(
        flowAndProperties,
        fc.integer({ min: 3_000, max: 1_000_000 }),
        ([flow, properties], times) => {
          factor = times;
          const walker = new Walker(flow);
          const facts = findFacts(machineOf(flow));
          for (const property of properties) {
            const { pattern } = property;
            const truth = judge(walker, property);
            const verdict = verdictOf(facts, property);
            countTo(seen, `${pattern.kind} ${verdict.kind}`);
            if (verdict.kind === "undecided") continue;
            // What is entered is only known by the shape.
            if (
              verdict.kind === "not-judged" &&
              !facts.exact &&
              hasUnknownTarget(flow) &&
              isAboutWhatIsPossible(pattern)
            )
              continue;
            expect(verdict.kind).toBe(truth.kind);
            checkFound(walker, property, verdict, truth.kind === "broken" ? truth.length : undefined);
          }
        },
      ),
      { numRuns: 5_000 },
    );
    for (const kind of kinds)
      for (const verdict of ["holds", "broken", "undecided"])
        expect([kind, verdict, seen.get(`${kind} ${verdict}`)]).not.toEqual([kind, verdict, undefined]);
  });

  /** A run in which nothing was found yet may be the start of a shorter one, but only where all must be known. */
  function checkFound(walker: Walker, property: Property, verdict: Verdict, shortest = 0): void {
    if (verdict.kind !== "broken" || property.pattern.kind === "possible") return;
    if (verdict.run === undefined) expect.unreachable("a broken property without a run");
    checkRun(walker, property, verdict.run);
    const { length } = verdict.run.steps;
    const isExact = verdict.run.loopFrom === undefined && property.pattern.kind !== "always-possible";
    if (isExact) expect(length).toBe(shortest);
    else expect(length).toBeGreaterThanOrEqual(Math.min(shortest, length));
  }

  const isAboutWhatIsPossible = ({ kind }: Pattern): boolean =>
    kind === "possible" || kind === "always-possible";
  const hasUnknownTarget = (flow: Flow): boolean => {
    const everywhere = { ...flow, roots: flow.states.map(({ name }) => name) };
    return !isJudged(new Walker(everywhere), { kind: "possible", of: [] });
  };
});

const entering = (name: string): Step => ({ kind: "state", state: located(name) });
const spending = (name: string): Step => ({ kind: "spent", state: located(name) });
const sending = (event: string): Step => ({ kind: "event", event: located(event), state: undefined });
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A gate, a hall, behind it states that all lead to each other and to the end, fifty times each; and an island. */
function dense(exit: string | undefined): Flow {
  const names = list(40, (index) => `d${index}`);
  const everywhere = names.map((name) => [`To_${name}`, name] as const);
  return {
    roots: ["gate"],
    states: [
      { name: "gate", events: [["Go", "hall"]] },
      {
        name: "hall",
        events: [
          ["Go_on", "d0"],
          ["Quit", "end"],
        ],
      },
      ...names.map((name) => ({ name, events: [...everywhere, ["Quit", "end"] as const], limit: 50, exit })),
      { name: "end", events: [] },
      { name: "island", events: [["Swim", "d3"]] },
    ],
  };
}

describe("forty states that all lead to each other, fifty times each", () => {
  const never = (step: Step): Pattern => ({ kind: "never", of: [step] });
  it.each<[what: string, exit: string | undefined, pattern: Pattern, verdicts: string[]]>([
    ["a state nearby", undefined, never(entering("d39")), ["broken"]],
    ["an island", undefined, never(entering("island")), ["holds"]],
    ["the event of an island", undefined, never(sending("Swim")), ["holds"]],
    ["a spent guard", undefined, never(spending("d39")), ["broken", "undecided"]],
    ["a guard of no effect", undefined, never(spending("end")), ["holds"]],
    [
      "a gate",
      undefined,
      { kind: "never-before", of: [entering("end")], before: [entering("gate")], since: [] },
      ["holds"],
    ],
    [
      "a gate only once",
      undefined,
      { kind: "never-before", of: [entering("d2")], before: [entering("gate")], since: [entering("d1")] },
      ["broken"],
    ],
    [
      "nothing after the end",
      undefined,
      { kind: "never-after", of: [entering("*")], after: [entering("end")], until: [] },
      ["holds"],
    ],
    [
      "no gate after it",
      undefined,
      { kind: "never-after", of: [entering("gate")], after: [entering("d1")], until: [] },
      ["holds"],
    ],
    [
      "one after another",
      undefined,
      { kind: "never-after", of: [entering("d2")], after: [entering("d1")], until: [] },
      ["broken"],
    ],
    [
      "at most one gate",
      undefined,
      { kind: "at-most", times: 1, of: [entering("gate")], since: [] },
      ["holds"],
    ],
    [
      "at most fifty",
      undefined,
      { kind: "at-most", times: 50, of: [entering("d7")], since: [] },
      ["holds", "undecided"],
    ],
    [
      "at most forty-nine",
      undefined,
      { kind: "at-most", times: 49, of: [entering("d7")], since: [] },
      ["broken", "undecided"],
    ],
    [
      "some end",
      undefined,
      { kind: "eventually", of: [entering("end")], after: undefined },
      ["broken", "undecided"],
    ],
    [
      "an end for all",
      "end",
      { kind: "eventually", of: [entering("end")], after: undefined },
      ["holds", "undecided"],
    ],
    [
      "a start",
      undefined,
      { kind: "eventually", of: [entering("hall")], after: [entering("gate")] },
      ["holds"],
    ],
    [
      "something beyond",
      "end",
      { kind: "eventually", of: [entering("island")], after: undefined },
      ["broken"],
    ],
    ["the only end", "end", { kind: "ends-in", of: [entering("end")] }, ["holds"]],
    ["stops, too", undefined, { kind: "ends-in", of: [entering("end")] }, ["broken", "undecided"]],
    ["a way out", undefined, { kind: "always-possible", of: [entering("end")], until: [] }, ["holds"]],
    [
      "a way back",
      undefined,
      { kind: "always-possible", of: [entering("gate")], until: [] },
      ["broken", "undecided"],
    ],
    [
      "each way",
      undefined,
      { kind: "always-possible", of: [entering("d9")], until: [] },
      ["broken", "undecided"],
    ],
    ["an event", undefined, { kind: "always-possible", of: [sending("Quit")], until: [] }, ["holds"]],
    ["possible", undefined, { kind: "possible", of: [entering("d39")] }, ["holds"]],
    ["impossible", undefined, { kind: "possible", of: [entering("island"), sending("Swim")] }, ["broken"]],
    ["possible later", undefined, { kind: "possible", of: [spending("d39")] }, ["holds", "undecided"]],
  ])("%s, exits to %s", (_, exit, pattern, verdicts) => {
    const flow = dense(exit);
    const facts = findFacts(machineOf(flow));
    const start = performance.now();
    const verdict = verdictOf(facts, propertyOf(pattern));
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(verdicts).toContain(verdict.kind);
    if (verdict.kind === "broken" && verdict.run !== undefined)
      checkRun(new Walker(flow), propertyOf(pattern), verdict.run);
  });
});

/** A hundred thousand states of a kind. */
const shapes: Record<string, (size: number) => Flow> = {
  "a chain": (size) => flowOf(list(size, (index) => ({ name: `s${index}`, events: after(index, size) }))),
  "a ring": (size) =>
    flowOf(list(size, (index) => ({ name: `s${index}`, events: [["A", `s${(index + 1) % size}`]] }))),
  "a guarded chain": (size) =>
    flowOf(list(size, (index) => ({ name: `s${index}`, events: after(index, size), limit: 2 }))),
  "a chain of forced exits": (size) =>
    flowOf(
      list(size, (index) => {
        const exit = index + 1 < size ? `s${index + 1}` : undefined;
        return { name: `s${index}`, events: [["A", `s${index}`]], limit: 1, exit };
      }),
    ),
  "a hub": (size) =>
    flowOf([
      { name: "s0", events: list(size, (index) => [`E${index}`, `s${index + 1}`]) },
      ...list(size, (index): FlowState => ({ name: `s${index + 1}`, events: [["A", "s0"]] })),
    ]),
};
const after = (index: number, size: number): FlowState["events"] =>
  index + 1 < size ? [["A", `s${index + 1}`]] : [];
const flowOf = (states: FlowState[]): Flow => ({
  roots: ["s0"],
  states: [...states, { name: "island", events: [["Swim", "s0"]] }],
});

describe.each(Object.keys(shapes))("of %s with 100,000 states", (shape) => {
  const flow = (size: number): Flow => shapes[shape]?.(size) ?? expect.unreachable();
  const [island, middle] = [entering("island"), entering("s20")];
  const patterns: Pattern[] = [
    { kind: "never", of: [island] },
    { kind: "never-before", of: [island], before: [middle], since: [entering("s3")] },
    { kind: "never-after", of: [island], after: [middle], until: [] },
    { kind: "eventually", of: [island], after: undefined },
    { kind: "eventually", of: [island], after: [middle] },
    { kind: "at-most", of: [island], times: 3, since: [] },
    { kind: "ends-in", of: [entering("*")] },
    { kind: "always-possible", of: [middle], until: [middle] },
    { kind: "possible", of: [spending("s20"), island] },
  ];
  it("takes time that grows with the size", () => {
    const timed = (size: number): readonly number[] => {
      const facts = findFacts(machineOf(flow(size)));
      return patterns.map((pattern) => {
        const start = performance.now();
        verdictOf(facts, propertyOf(pattern));
        return performance.now() - start;
      });
    };
    const [small, large] = [timed(10_000), timed(100_000)];
    // Ten times as many states. What takes little time has no ratio worth asking for.
    const slow = patterns.filter((_, index) => (large[index] ?? 0) > 40 * Math.max(small[index] ?? 0, 200));
    expect(slow).toEqual([]);
  });
});

describe("long runs and large numbers", () => {
  it.each([150_000, 250_000])("that go on for ever are found after %i events", (limit) => {
    const states = [
      { name: "a", events: [["A", "a"] as const], limit, exit: "b" },
      { name: "b", events: [["A", "b"] as const] },
      { name: "c", events: [] },
    ];
    const pattern: Pattern = { kind: "eventually", of: [entering("c")], after: undefined };
    const verdict = verdictOf(findFacts(machineOf({ roots: ["a"], states })), propertyOf(pattern));
    expect(["broken", "undecided"]).toContain(verdict.kind);
  });

  it("do not hide that there are too many places to start from", () => {
    const names = list(1_800, (index) => `s${index}`);
    const states = names.map((name) => ({ name, events: [["A", name] as const], limit: 2 }));
    const facts = findFacts(machineOf({ roots: names, states }));
    const broken = verdictOf(facts, propertyOf({ kind: "never", of: [entering("s7")] }));
    expect(["broken", "undecided"]).toContain(broken.kind);
    const possible = verdictOf(facts, propertyOf({ kind: "possible", of: [spending("s7")] }));
    expect(["holds", "undecided"]).toContain(possible.kind);
  });

  it.each([9000, 1e4, 2 ** 31, 2 ** 50, 2 ** 53 - 1])("may be counted to %i", (times) => {
    const states = list(20, (index) => ({
      name: `s${index}`,
      events: [["A", `s${(index + 1) % 20}`] as const],
    }));
    const facts = findFacts(machineOf({ roots: ["s0"], states }));
    const verdict = verdictOf(facts, propertyOf({ kind: "at-most", of: [entering("s1")], times, since: [] }));
    expect(["broken", "undecided"]).toContain(verdict.kind);
    if (verdict.kind === "broken" && verdict.run !== undefined)
      expect(verdict.run.steps.length).toBe(1 + 20 * times);
  });
});
