import fc from "fast-check";
import { expect, it } from "vitest";
import { findFacts } from "../../src/machine/exact-facts.js";
import { RunState } from "../../src/machine/run.js";
import { uncheckedExits } from "../../src/machine/unchecked-exits.js";
import { promptkit } from "../../src/runtimes/promptkit.js";
import { readingOf } from "../../src/runtimes/runtime.js";
import { isFull, runs } from "../runs.js";
import { type Flow, machineOf, type Position, randomFlow, Walker } from "./flow.js";

const reading = readingOf(promptkit) ?? expect.unreachable();

/** The number of events to each position, by trying them all. */
function distances(walker: Walker, starts: readonly Position[]): ReadonlyMap<Position, number> {
  const found = new Map(starts.map((start) => [start, 0]));
  for (const [position, distance] of found)
    for (const { to } of walker.next(position)) if (!found.has(to)) found.set(to, distance + 1);
  return found;
}

interface Shown {
  readonly isLoop: boolean;
  readonly length: number;
}

/** For each state, the shortest run in which its forced exit enters a spent state, or the loop that does. */
function uncheckedIn(flow: Flow): Map<string, Shown> {
  const walker = new Walker(flow, reading);
  const limits = new Map(flow.states.map(({ name, limit }) => [name, limit]));
  const found = new Map<string, Shown>();
  for (const [from, distance] of distances(
    walker,
    flow.roots.map((root) => walker.start(root)),
  )) {
    const visits = JSON.parse(from.split(" ")[1] ?? "{}") as Record<string, number>;
    for (const { forced, to } of walker.next(from)) {
      const [spent] = forced;
      const entered = walker.stateAt(to);
      if (spent === undefined || (visits[entered] ?? 0) < (limits.get(entered) ?? Infinity)) continue;
      const back = distances(walker, [to]).get(from);
      const shown = { isLoop: back !== undefined, length: distance + 1 + (back ?? 0) };
      const known = found.get(spent);
      const isBetter = known?.isLoop === shown.isLoop ? shown.length < known.length : shown.isLoop;
      if (known === undefined || isBetter) found.set(spent, shown);
    }
  }
  return found;
}

it("are shown by the shortest runs that brute force finds, which the machine repeats", () => {
  const seen = { loops: 0, others: 0 };
  fc.assert(
    fc.property(randomFlow(6), (flow) => {
      const machine = machineOf(flow, reading);
      const found = [...uncheckedExits(findFacts(machine))].map(([state, trace]) => {
        if (trace === undefined) return expect.unreachable("a run without a trace");
        const { steps, loopFrom } = trace;
        const again = loopFrom === undefined ? [] : steps.slice(loopFrom);
        const taken = machine.roots.some((root) => {
          const run = new RunState(machine).enter(root);
          return [...steps, ...again, ...again].every((step) => {
            const event = run.eventsByName.get(step.event);
            return event !== undefined && JSON.stringify(run.advance(event)) === JSON.stringify(step);
          });
        });
        expect(taken).toBe(true);
        seen[loopFrom === undefined ? "others" : "loops"]++;
        return [machine.states[state]?.name, { isLoop: loopFrom !== undefined, length: steps.length }];
      });
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(uncheckedIn(flow)));
    }),
    { numRuns: runs(5_000) },
  );
  if (isFull) expect(Math.min(seen.loops, seen.others)).toBeGreaterThan(50);
});
