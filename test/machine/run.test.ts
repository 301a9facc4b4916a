import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attempt } from "../../src/machine/run.js";
import type { Machine, MachineState } from "../../src/machine/machine.js";
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
        const visits = (state: number) => counts[state] ?? 0;
        const shortcuts = new Map<number, number>();
        for (const [state, target] of entered) {
          counts[state] = (counts[state] ?? 0) + 1;
          const expected = plainly(machine, target - 1, counts);
          kinds.add(expected.kind);
          expect(attempt(machine, target - 1, visits, shortcuts)).toEqual(expected);
          expect(attempt(machine, target - 1, visits)).toEqual(expected);
        }
      }),
      { numRuns: runs(500), seed: 3 },
    );
    if (isFull) expect([...kinds].sort()).toEqual(["dangling", "entered", "stopped", "stuck"]);
  });

  it("look at each state once, and once more for the list of spent ones", () => {
    let looked = 0;
    const states = new Proxy(chainOf(100), {
      get(all, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) looked++;
        return Reflect.get(all, key, receiver) as unknown;
      },
    });
    const { kind, forced } = attempt({ states, roots: [0] }, 0, () => 1, new Map());
    expect([kind, forced.length, looked]).toEqual(["dangling", 100, 202]);
  });

  it("walk a chain of forced exits once, however often a run goes through it", () => {
    const size = 2_000;
    const states = chainOf(size);
    const counts = states.map(() => 0);
    let asked = 0;
    const shortcuts = new Map<number, number>();
    const attemptFirst = () =>
      attempt(
        { states, roots: [0] },
        0,
        (state) => {
          asked++;
          return counts[state] ?? 0;
        },
        shortcuts,
      );
    for (const { index } of states) {
      expect(attemptFirst()).toMatchObject({ kind: "entered", state: index });
      counts[index] = 1;
    }
    expect(attemptFirst().kind).toBe("dangling");
    expect(asked).toBeLessThan(3 * size);
  });
});
