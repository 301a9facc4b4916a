import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findPaths } from "../../src/coverage/paths.js";
import { type Flow, type FlowState, machineOf, randomFlow, Walker } from "../machine/flow.js";
import { makeWorkHarder } from "../machine/less-work.js";
import { everythingCounted } from "./brute-force.js";
import { checkPaths, countedOnPaths, eventsOn, itemNames } from "./check.js";

afterEach(() => void vi.restoreAllMocks());

it("take everything that some run does, in few events", () => {
  let [all, best] = [0, 0];
  fc.assert(
    fc.property(randomFlow(5), fc.integer(), (flow, seed) => {
      const found = checkPaths(flow, seed, 100);
      if (found.best === Infinity) return;
      all += found.events;
      best += found.best;
    }),
    { numRuns: 2_000 },
  );
  // Far better than twice as many on the whole.
  expect(all).toBeLessThan(1.1 * best);
});

it("claim nothing that is not true, wherever the work ends", () => {
  let factor = 1;
  makeWorkHarder(() => factor, 1);
  let guided = 0;
  fc.assert(
    fc.property(randomFlow(5), fc.integer({ min: 3_000, max: 1_000_000 }), (flow, times) => {
      factor = times;
      const walker = new Walker(flow);
      const everything = everythingCounted(walker);
      const found = findPaths(machineOf(flow));
      const coverable = itemNames(found, found.coverable);
      expect([...countedOnPaths(walker, found)].sort()).toEqual(coverable);
      const undecided = itemNames(found, found.undecided);
      expect([...coverable, ...undecided]).toEqual(expect.arrayContaining([...everything]));
      expect([...everything]).toEqual(expect.arrayContaining(coverable));
      expect(found.leftOut.size).toBe(0);
      if (undecided.length > 0) guided++;
    }),
    { numRuns: 3_000 },
  );
  expect(guided).toBeGreaterThan(100);
});

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

it("are found for forty states that all lead to each other, fifty times each", () => {
  const names = list(40, (index) => `d${index}`);
  const everywhere = names.map((name) => [`To_${name}`, name] as const);
  const states = names.map((name) => ({ name, events: everywhere, limit: 50 }));
  const flow = { roots: ["d0"], states };
  const machine = machineOf(flow);
  const start = performance.now();
  const found = findPaths(machine);
  expect(performance.now() - start).toBeLessThan(10_000);
  const counted = countedOnPaths(new Walker(flow), found);
  expect(counted).toEqual(new Set(itemNames(found, found.coverable)));
  const sends = [...counted].filter((what) => what.startsWith("sends "));
  expect(sends).toHaveLength(40 * 40);
  expect([...counted, ...itemNames(found, found.undecided)]).toEqual(
    expect.arrayContaining(names.map((name) => `stops at ${name}`)),
  );
  expect(eventsOn(found)).toBeLessThan(10_000);
});

it("claim no more than is known where there are too many places to start from", () => {
  const names = list(1_800, (index) => `s${index}`);
  const states = names.map((name) => ({ name, events: [["A", name] as const], limit: 2 }));
  const found = findPaths(machineOf({ roots: names, states }));
  expect([...itemNames(found, found.coverable), ...itemNames(found, found.undecided)]).toEqual(
    expect.arrayContaining(["sends A in s7", "stops at s7"]),
  );
});

describe("of 100,000 states", () => {
  const next = (index: number, size: number): FlowState["events"] =>
    index + 1 < size ? [["A", `s${index + 1}`]] : [];
  const shapes: Record<string, (size: number) => FlowState[]> = {
    "a chain": (size) => list(size, (index) => ({ name: `s${index}`, events: next(index, size) })),
    "a guarded chain": (size) =>
      list(size, (index) => ({ name: `s${index}`, events: next(index, size), limit: 2 })),
    "a ring": (size) =>
      list(size, (index) => ({ name: `s${index}`, events: [["A", `s${(index + 1) % size}`]] })),
    "a guarded ring": (size) =>
      list(size, (index) => ({
        name: `s${index}`,
        events: [["A", `s${(index + 1) % size}`]],
        limit: 2,
        exit: "s0",
      })),
    "a hub": (size) => [
      { name: "s0", events: list(size, (index) => [`E${index}`, `s${index + 1}`]) },
      ...list(size, (index): FlowState => ({ name: `s${index + 1}`, events: [["A", "s0"]] })),
    ],
    "a star": (size) => [
      { name: "s0", events: list(size, (index) => [`E${index}`, `s${index + 1}`]) },
      ...list(size, (index): FlowState => ({ name: `s${index + 1}`, events: [] })),
    ],
    "a comb": (size) =>
      list(size, (index) => ({ name: `s${index}`, events: [...next(index, size), ["Z", `s${size - 1}`]] })),
    "a chain of forced exits": (size) =>
      list(size, (index) => ({
        name: `s${index}`,
        events: [["A", `s${index}`]],
        limit: 1,
        ...(index + 1 < size && { exit: `s${index + 1}` }),
      })),
  };
  it.each(Object.keys(shapes))("%s takes time that grows with the size", (shape) => {
    const timed = (size: number): number => {
      const flow: Flow = { roots: ["s0"], states: shapes[shape]?.(size) ?? [] };
      const machine = machineOf(flow);
      const tries = list(2, () => {
        const start = performance.now();
        findPaths(machine);
        return performance.now() - start;
      });
      return Math.min(...tries);
    };
    const [small, large] = [timed(25_000), timed(100_000)];
    expect(large).toBeLessThan(12 * Math.max(small, 500));
  });
});
