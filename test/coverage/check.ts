import { expect } from "vitest";
import { findPaths } from "../../src/coverage/paths.js";
import { type Flow, machineOf, Walker } from "../machine/flow.js";
import { bestOfRandomTries, countedOn, everythingCounted } from "./brute-force.js";

type Paths = ReturnType<typeof findPaths>;

/** The items of coverage in the words of the brute force. */
export function itemNames({ items }: Paths, chosen: ReadonlySet<number>): string[] {
  const { states, transitions, forcedExits, ends } = items.list((item) => chosen.has(item));
  return [
    ...states.map((state) => `enters ${state}`),
    ...transitions.map(({ state, event }) => `sends ${event} in ${state}`),
    ...forcedExits.map(({ state }) => `takes the forced exit of ${state}`),
    ...ends.map(({ state, end }) => (end === "complete" ? `completes in ${state}` : `stops at ${state}`)),
  ].sort();
}

/** What the paths count for; each must be a run. */
export function countedOnPaths(walker: Walker, { paths }: Paths): Set<string> {
  const counted = new Set<string>();
  for (const { root, events } of paths) {
    const found = countedOn(walker, { root: walker.flow.states[root]?.name ?? "", events });
    if (found === undefined) expect.unreachable("not a run");
    for (const what of found) counted.add(what);
  }
  return counted;
}

export const eventsOn = ({ paths }: Paths): number =>
  paths.reduce((sum, { events }) => sum + events.length, 0);

/** Paths take everything, and not many more events than the best of some random walks. */
export function checkPaths(flow: Flow, seed: number, tries: number): { events: number; best: number } {
  const walker = new Walker(flow);
  const found = findPaths(machineOf(flow));
  const everything = [...everythingCounted(walker)].sort();
  expect(itemNames(found, found.coverable)).toEqual(everything);
  expect([...countedOnPaths(walker, found)].sort()).toEqual(everything);
  expect([found.undecided.size, found.leftOut.size]).toEqual([0, 0]);
  const best = bestOfRandomTries(flow, tries, randomNumbers(seed));
  const events = eventsOn(found);
  expect(events).toBeLessThanOrEqual(2 * best);
  return { events, best };
}

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
