import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { components } from "../../src/graph/components.js";
import { breadthFirstSearch } from "../../src/graph/reachability.js";
import { explore } from "../../src/machine/explore.js";
import { HashedConfigurationTable, PackedConfigurationTable } from "../../src/machine/configurations.js";
import { ReachableStates, StatesAfterCache } from "../../src/machine/states-after.js";
import { runs } from "../runs.js";
import { randomMachine } from "./random-machine.js";

describe("an exploration", () => {
  it("is the same however configurations are kept", () => {
    fc.assert(
      fc.property(randomMachine(6), (machine) => {
        expect(PackedConfigurationTable.of(machine)).toBeDefined();
        const { stateOf, spentIn, ...packed } = explore(machine) ?? expect.unreachable();
        const {
          stateOf: stateOfWide,
          spentIn: spentInWide,
          ...wide
        } = explore(machine, new HashedConfigurationTable(machine)) ?? expect.unreachable();
        expect(wide).toEqual(packed);
        for (const id of packed.reached.order) {
          expect(stateOfWide(id)).toBe(stateOf(id));
          const [isSpent, isSpentWide] = [spentIn(id), spentInWide(id)];
          for (const { index } of machine.states) expect(isSpentWide(index)).toBe(isSpent(index));
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

  it("leaves configurations that fit no small number to the other table", () => {
    const state = { name: "", ends: false, edges: [], maxVisits: 999, forcedExit: undefined };
    const states = [0, 1, 2, 3].map((index) => ({ ...state, index }));
    expect(PackedConfigurationTable.of({ states, roots: [0] })).toBeUndefined();
    const few = { states: states.slice(0, 2), roots: [0] };
    expect(PackedConfigurationTable.of(few)).toBeDefined();
  });
});

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
    const machine = { states: [hub, ...others], roots };
    const table = new HashedConfigurationTable(machine);
    const enter = vi.spyOn(table, "enter");
    expect(explore(machine, table)).toBeUndefined();
    // Each writes 4,001 words.
    expect(enter.mock.calls.length).toBeLessThan(1_000);
  });
});

describe("the states that come after others", () => {
  it.each([
    [10, 1_000_000, 100],
    [20_000, 10, 50],
  ])("are found for so many questions: of %i states and %i configurations, %i", (states, size, most) => {
    const walk = vi.fn((from: readonly number[]) => new Set(from));
    const after = new StatesAfterCache(states, { size, offsets: [], targets: [] }, walk);
    for (let state = 0; state < most; state++) expect(after.of([state])).toEqual(new Set([state]));
    expect(after.of([most])).toBeUndefined();
    expect(after.of([0])).toEqual(new Set([0]));
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
    const exploration = explore({ states, roots: [3] }) ?? expect.unreachable();
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
