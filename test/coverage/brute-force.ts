import { ends, type Flow, type Position, type Sent, Walker } from "../machine/flow.js";

/** A run as `paths` prints it. */
export interface Path {
  readonly root: string;
  readonly events: readonly string[];
}

/** What a run does that coverage counts when it takes this step, or when it starts. */
function countedIn(walker: Walker, from: Position, sent: Sent): readonly string[] {
  const { event, forced, to } = sent;
  const hasExit = (name: string): boolean =>
    walker.flow.states.some((state) => state.name === name && state.exit !== undefined);
  return [
    `sends ${event} in ${walker.stateAt(from)}`,
    ...forced.filter(hasExit).map((name) => `takes the forced exit of ${name}`),
    ...(to === "stopped" ? [`stops at ${forced.at(-1)}`] : []),
    ...(ends.includes(to) ? [] : countedAt(walker, to)),
  ];
}

function countedAt(walker: Walker, at: Position): readonly string[] {
  const state = walker.stateAt(at);
  return [`enters ${state}`, ...(walker.endAt(at) === "complete" ? [`completes in ${state}`] : [])];
}

/** Everything that some run does: by looking at every event of every configuration. */
export function everythingCounted(walker: Walker): ReadonlySet<string> {
  const all = new Set<string>();
  const starts = walker.flow.roots.map((root) => walker.start(root));
  for (const at of starts) for (const what of countedAt(walker, at)) all.add(what);
  for (const at of walker.positions(walker.flow.roots))
    for (const sent of walker.next(at)) for (const what of countedIn(walker, at, sent)) all.add(what);
  return all;
}

/** What a run counts for; undefined if it cannot take its events. */
export function countedOn(walker: Walker, { root, events }: Path): readonly string[] | undefined {
  let at = walker.start(root);
  const all = [...countedAt(walker, at)];
  for (const event of events) {
    const sent = walker.next(at).find((each) => each.event === event);
    if (sent === undefined) return undefined;
    all.push(...countedIn(walker, at, sent));
    at = sent.to;
  }
  return all;
}

/** The events of random walks until everything is counted, at the best of so many tries. */
export function bestOfRandomTries(flow: Flow, tries: number, random: () => number): number {
  const walker = new Walker(flow);
  const everything = everythingCounted(walker);
  let best = Infinity;
  for (let each = 0; each < tries; each++) best = Math.min(best, walkUntil(walker, everything, best, random));
  return best;
}

function walkUntil(walker: Walker, all: ReadonlySet<string>, most: number, random: () => number): number {
  const left = new Set(all);
  const pick = <T>(some: readonly T[]): T | undefined => some[Math.floor(random() * some.length)];
  let total = 0;
  while (left.size > 0 && total < most) {
    let at = walker.start(pick(walker.flow.roots) ?? "");
    for (const what of countedAt(walker, at)) left.delete(what);
    // Only events up to the last that adds something are needed.
    let needed = 0;
    for (let events = 1; events < 60; events++) {
      const sent = pick(walker.next(at));
      if (sent === undefined) break;
      const counted = countedIn(walker, at, sent);
      if (counted.some((what) => left.has(what))) needed = events;
      for (const what of counted) left.delete(what);
      at = sent.to;
      if (left.size === 0) break;
    }
    total += needed;
    if (needed === 0) total += 0.001;
  }
  return left.size === 0 ? Math.floor(total) : Infinity;
}
