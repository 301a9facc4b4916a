import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attempt, RunState } from "../../src/machine/run.js";
import { type Machine, type MachineState, rfcReading } from "../../src/machine/machine.js";
import { isFull, runs } from "../runs.js";
import { randomMachine } from "./random-machine.js";

/** As docs/semantics.md words it in "A run": from state to state, until one is not spent, or was tried before. */
function plainly(machine: Machine, target: number, counts: readonly number[]) {
  const forced: number[] = [];
  for (let current = target; ;) {
    const state = machine.states[current];
    if (state === undefined) return { kind: "dangling", forced };
    const isSpent = state.maxVisits !== undefined && (counts[current] ?? 0) >= state.maxVisits;
    if (!isSpent) return { kind: "entered", state: current, forced };
    if (forced.includes(current)) return { kind: "stuck", forced };
    forced.push(current);
    if (state.forcedExit === undefined) return { kind: "stopped", forced };
    current = state.forcedExit;
  }
}

/** States that hand over to the next one after one visit; the last leads nowhere. */
function chainOf(size: number): MachineState[] {
  return Array.from({ length: size }, (_, index) => ({
    index,
    name: `s${index}`,
    ends: false,
    edges: [{ transition: undefined, event: "Go", target: 0 }],
    maxVisits: 1,
    forcedExit: index + 1,
  }));
}

describe("attempts", () => {
  it("do what each would do alone, however counts grow between them", () => {
    const kinds = new Set<string>();
    const entries = fc.array(fc.tuple(fc.nat(7), fc.nat(8)), { maxLength: 40 });
    fc.assert(
      fc.property(randomMachine(8), entries, (machine, entered) => {
        const counts = machine.states.map(() => 0);
        const run = new RunState(machine);
        for (const [state, target] of entered) {
          counts[state] = (counts[state] ?? 0) + 1;
          run.count(state, 1);
          const expected = plainly(machine, target - 1, counts);
          kinds.add(expected.kind);
          expect(run.attempt(target - 1)).toEqual(expected);
          expect(attempt(machine, target - 1, run.visits)).toEqual(expected);
        }
      }),
      { numRuns: runs(500), seed: 3 },
    );
    if (isFull) expect([...kinds].sort()).toEqual(["dangling", "entered", "stopped", "stuck"]);
  });

  /** A run through a chain, and how often it looks at one of its states. */
  function chainRun(size: number) {
    let looked = 0;
    const states = new Proxy(chainOf(size), {
      get(all, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) looked++;
        return Reflect.get(all, key, receiver) as unknown;
      },
    });
    return { run: new RunState({ states, roots: [0], reading: rfcReading }), looked: () => looked };
  }

  it("look at each state once, and once more for the list of spent ones", () => {
    const { run, looked } = chainRun(100);
    for (let state = 0; state < 100; state++) run.count(state, 1);
    const { kind, forced } = run.attempt(0);
    expect([kind, forced.length, looked()]).toEqual(["dangling", 100, 202]);
  });

  it("walk a chain of forced exits once, however often a run goes through it", () => {
    const size = 2_000;
    const { run, looked } = chainRun(size);
    for (let state = 0; state < size; state++) {
      expect(run.attempt(0)).toMatchObject({ kind: "entered", state });
      run.count(state, 1);
    }
    expect(run.attempt(0).kind).toBe("dangling");
    expect(looked()).toBeLessThan(3 * size);
  });
});
