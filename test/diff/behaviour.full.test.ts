import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { compareBehaviour } from "../../src/diff/behaviour.js";
import type { Flow, FlowState } from "../machine/flow.js";
import { makeWorkHarder } from "../machine/less-work.js";
import { expectedBehaviour, keyOf, randomChange, rules, showsDifference } from "./brute-force.js";
import { checkChange, analysisOf } from "./check.js";

afterEach(() => void vi.restoreAllMocks());

it("agrees with brute force", () => {
  const seen = new Map<string, number>();
  const count = (key: string): void => void seen.set(key, (seen.get(key) ?? 0) + 1);
  fc.assert(
    fc.property(randomChange(5), (flows) => {
      const { differences, renamed, removed, lost, grew } = checkChange(flows);
      for (const { rule, level } of differences) count(`${rule} ${level}`);
      if (renamed !== undefined) count("renamed");
      if (removed.length > 0) count("removed");
      if (lost > 0) count("lost");
      if (grew) count("grew");
      if (differences.length === 0) count("same");
    }),
    { numRuns: 5_000 },
  );
  const kinds = [
    "event-refused breaking",
    "event-refused behaviour",
    "event-added behaviour",
    "event-added compatible",
    "leads-elsewhere behaviour",
    "ends-differently breaking",
    "ends-differently behaviour",
    "renamed",
    "removed",
    "lost",
    "grew",
    "same",
  ];
  for (const kind of kinds) expect([kind, (seen.get(kind) ?? 0) > 20]).toEqual([kind, true]);
});

it("claims nothing that is not true, wherever the work ends", () => {
  let factor = 1;
  makeWorkHarder(() => factor, 3);
  let notCompared = 0;
  fc.assert(
    fc.property(randomChange(5), fc.integer({ min: 3_000, max: 1_000_000 }), (flows, times) => {
      factor = times;
      const expected = expectedBehaviour(flows.old, flows.new);
      const { changes, behaviour } = compareBehaviour(analysisOf(flows.old), analysisOf(flows.new));
      fc.pre(expected.renamed === undefined && !changes.some(({ rule }) => rule === "state-renamed"));
      if (behaviour === null) expect.unreachable("workflows that are not compared");
      const shown = changes.filter(({ rule }) => rules.some((each) => each === rule));
      if (behaviour.compared) expect(shown.map(keyOf).sort()).toEqual(expected.differences.map(keyOf).sort());
      else notCompared++;
      for (const { rule, traces } of shown) {
        if (traces === undefined) expect.unreachable("a difference without runs");
        const events = (rule === "event-added" ? traces.new : traces.old).steps.map(({ event }) => event);
        const roots = { old: traces.old.root ?? "", new: traces.new.root ?? "" };
        const known = rules.find((each) => each === rule) ?? "event-added";
        expect(showsDifference(flows, roots, known, events)).toBe(true);
      }
      const has = (rule: string): number => changes.filter((change) => change.rule === rule).length;
      expect(has("state-removed")).toBeLessThanOrEqual(expected.removed.length);
      expect(has("no-longer-completes")).toBeLessThanOrEqual(expected.lost);
      expect(has("worst-case-grew")).toBeLessThanOrEqual(expected.grew ? 1 : 0);
      for (const side of ["old", "new"] as const) {
        const { worstCase, shortest } = behaviour;
        if (worstCase.unbounded[side]) expect(expected.worst[side]).toBe(Infinity);
        if (worstCase[side] !== null) expect(worstCase[side]).toBe(expected.worst[side]);
        if (shortest[side] !== null) expect(shortest[side]).toBe(expected.shortest[side]);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(notCompared).toBeGreaterThan(200);
});

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

function dense(more: readonly FlowState[], events: FlowState["events"]): Flow {
  const names = list(40, (index) => `d${index}`);
  const everywhere = names.map((name) => [`To_${name}`, name] as const);
  const states = names.map((name) => ({ name, events: [...everywhere, ...events], limit: 50 }));
  return { roots: ["d0"], states: [...states, ...more] };
}

it("compares forty states that all lead to each other, fifty times each, in a moment", () => {
  const end = { name: "end", events: [] };
  const old = dense([end], [["Quit", "end"]]);
  const compare = (now: Flow) => {
    const packs = [analysisOf(old), analysisOf(now)] as const;
    const start = performance.now();
    const result = compareBehaviour(...packs);
    expect(performance.now() - start).toBeLessThan(30_000);
    return { ...result, rules: result.changes.map(({ rule }) => rule) };
  };
  expect(compare(old)).toMatchObject({ rules: [], behaviour: { compared: true } });
  expect(compare(dense([end], []))).toMatchObject({
    rules: ["event-refused", "no-longer-completes"],
    behaviour: { compared: false, refused: ["Quit"], added: null },
  });
  expect(compare(dense([end, { name: "fresh", events: [] }], [["Quit", "fresh"]]))).toMatchObject({
    rules: ["leads-elsewhere"],
    behaviour: { compared: false, leadsElsewhere: ["Quit"] },
  });
});

it("says where there are too many places to start from", () => {
  const names = list(1_500, (index) => `s${index}`);
  const end = { name: "end", events: [] };
  const flow = (events: FlowState["events"]): Flow => ({
    // The runs of the first agents have ended before there is too much work.
    roots: ["end", ...names.map((_, index) => (index < 1_200 ? "end" : `s${index}`))],
    states: [...names.map((name) => ({ name, events, limit: 2 })), end],
  });
  const { behaviour, changes } = compareBehaviour(
    analysisOf(flow([["A", "end"]])),
    analysisOf(
      flow([
        ["A", "end"],
        ["B", "end"],
      ]),
    ),
  );
  expect([behaviour?.compared, changes.length > 0]).not.toEqual([true, false]);
});

describe("of 40,000 states", () => {
  const chain = (size: number, state: (index: number) => Partial<FlowState>): Flow => ({
    roots: ["s0"],
    states: list(size, (index) => ({
      name: `s${index}`,
      events: index + 1 < size ? [["A", `s${index + 1}`]] : [],
      ...state(index),
    })),
  });
  it.each<[what: string, flow: (size: number) => { old: Flow; new: Flow }]>([
    ["a chain", (size) => ({ old: chain(size, () => ({})), new: chain(size + 1, () => ({})) })],
    ["a guarded chain", (size) => ({ old: chain(size, () => ({})), new: chain(size, () => ({ limit: 2 })) })],
  ])("%s takes time that grows with the size", (_, flow) => {
    const timed = (size: number): number => {
      const { old, new: now } = flow(size);
      const packs = [analysisOf(old), analysisOf(now)] as const;
      const start = performance.now();
      compareBehaviour(...packs);
      return performance.now() - start;
    };
    const [small, large] = [timed(10_000), timed(40_000)];
    expect(large).toBeLessThan(12 * Math.max(small, 500));
  });
});
