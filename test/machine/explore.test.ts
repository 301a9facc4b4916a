import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { components } from "../../src/graph/digraph.js";
import { breadthFirstSearch } from "../../src/graph/paths.js";
import { ConfigurationTable, explore } from "../../src/machine/explore.js";
import { ReachableStates, statesAfterSearch } from "../../src/machine/states-after.js";
import { type Machine, rfcReading } from "../../src/machine/machine.js";
import { runs } from "../runs.js";
import { randomMachine } from "./random-machine.js";

describe("an exploration", () => {
  it("is the same however configurations are kept", () => {
    fc.assert(
      fc.property(randomMachine(6), (machine) => {
        const { stateOf, runs: narrowRuns, ...narrow } = explore(machine) ?? expect.unreachable();
        const wider = widen(machine);
        const { stateOf: wideStateOf, runs: wideRuns, ...wide } = explore(wider) ?? expect.unreachable();
        expect(wide).toEqual({ ...narrow, starts: wide.starts });
        expect(wideRuns.endings).toEqual(narrowRuns.endings);
        for (const id of narrow.reached.order) {
          expect(wideStateOf(id)).toBe(2 * stateOf(id));
          for (const { index } of machine.states)
            expect(wideRuns.spentIn(id)(2 * index)).toBe(narrowRuns.spentIn(id)(index));
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it("reaches each configuration by a shortest way", () => {
    fc.assert(
      fc.property(randomMachine(6), (machine) => {
        const { graph, starts, reached } = explore(machine) ?? expect.unreachable();
        expect(reached).toEqual(breadthFirstSearch(graph, starts));
      }),
      { numRuns: runs(2000) },
    );
  });
});

/** The same runs, with a state after each that no run enters, and whose guard takes more digits than all of the others. */
function widen({ states, roots }: Machine): Machine {
  const double = (state: number): number => (state < 0 ? state : 2 * state);
  const idle = { name: "idle", ends: false, edges: [], maxVisits: 5_000_000, forcedExit: undefined };
  return {
    roots: roots.map(double),
    reading: rfcReading,
    states: states.flatMap((state) => [
      {
        ...state,
        index: 2 * state.index,
        edges: state.edges.map((edge) => ({ ...edge, target: double(edge.target) })),
        forcedExit: state.forcedExit === undefined ? undefined : double(state.forcedExit),
      },
      { ...idle, index: 2 * state.index + 1 },
    ]),
  };
}

describe("too much work", () => {
  const guarded = (index: number) => ({
    index,
    name: "",
    ends: true,
    edges: [],
    maxVisits: 2,
    forcedExit: undefined,
  });
  const others = Array.from({ length: 4_000 }, (_, i) => guarded(i + 1));
  const everywhere = others.map(({ index }) => ({ transition: undefined, event: "", target: index }));
  const hub = { ...guarded(0), ends: false, edges: everywhere, maxVisits: undefined };

  it.each([
    ["the events of one state", [0]],
    ["the states to start in", others.map(({ index }) => index)],
  ])("is not begun for %s", (_, roots) => {
    const machine = { states: [hub, ...others], roots, reading: rfcReading };
    const enter = vi.spyOn(ConfigurationTable.prototype, "enter");
    expect(explore(machine)).toBeUndefined();
    // Each writes 4,001 words.
    expect(enter.mock.calls.length).toBeLessThan(1_000);
    enter.mockRestore();
  });
});

describe("the states that come after others", () => {
  it.each([
    [10, 1_000_000, 100],
    [20_000, 10, 50],
  ])("are found for so many questions: of %i states and %i configurations, %i", (states, size, most) => {
    const walk = vi.fn((from: readonly number[]) => new Set(from));
    const after = statesAfterSearch(states, { size, offsets: [], targets: [] }, walk);
    for (let state = 0; state < most; state++) expect(after([state])).toEqual(new Set([state]));
    expect(after([most])).toBeUndefined();
    expect(after([0])).toEqual(new Set([0]));
    expect(walk).toHaveBeenCalledTimes(most);
  });
});

describe("the states ahead", () => {
  it.each([31, 32])("are the same for a ring of %i", (size) => {
    const states = Array.from({ length: size }, (_, index) => ({
      index,
      name: "",
      ends: false,
      edges: [{ transition: undefined, event: "", target: (index + 1) % size }],
      maxVisits: index === 0 ? 2 : undefined,
      forcedExit: undefined,
    }));
    const exploration = explore({ states, roots: [3], reading: rfcReading }) ?? expect.unreachable();
    const parts = components(exploration.graph);
    const ahead = new ReachableStates(size, exploration, parts);
    const walked = new ReachableStates(1_000, exploration, parts);
    expect(ahead.reentered().size).toBe(size);
    expect(ahead.reentered()).toEqual(walked.reentered());
    for (const { index } of states)
      expect(ahead.after(new Set([index]))).toEqual(walked.after(new Set([index])));
  });

  it("are the same for few states and for many", () => {
    fc.assert(
      fc.property(randomMachine(6), fc.nat({ max: 5 }), (machine, state) => {
        const exploration = explore(machine) ?? expect.unreachable();
        const parts = components(exploration.graph);
        const few = new ReachableStates(machine.states.length, exploration, parts);
        const many = new ReachableStates(1_000, exploration, parts);
        expect(few.reentered()).toEqual(many.reentered());
        expect(few.after(new Set([state]))).toEqual(many.after(new Set([state])));
      }),
      { numRuns: runs(2000) },
    );
  });
});
