import type { Machine } from "../../src/machine/machine.js";

/**
 * The semantics once more, as plainly as possible and sharing nothing with the program: configurations are strings,
 * every question is answered by walking from every configuration.
 */
export interface BruteFacts {
  entered: number[];
  reentered: number[];
  /** The steps of the shortest run that enters a state twice. */
  stepsToReentry: (number | undefined)[];
  /** Unbounded loops from some place of which a run may end. */
  onEscapableLoop: number[];
  /** The steps of the shortest run to each state and from there round an unbounded loop; Infinity where none is. */
  stepsRound: number[];
  /** The same, where a run may still end. */
  stepsRoundOpen: number[];
  /** For each state, the states of the unbounded loops that do not enter it. */
  onLoopWithout: number[][];
  /** The states that can come after each. */
  statesAfter: number[][];
  metSpent: number[];
  onUnboundedLoop: number[];
  trapped: number[];
  /** Whether every run that is in a state is caught there once some guards are spent. */
  isCaughtOnce: (state: number, guards: readonly number[]) => boolean;
  neverCompletes: number[];
  /** The same, those included that can also be trapped or stuck, or are on a ring of forced exits. */
  cannotComplete: number[];
  onForcedExitCycle: number[];
  /** The steps of the shortest run after which an event gets stuck at a state. */
  stepsToStuck: (number | undefined)[];
  /** The guards that stop runs which came to each. */
  stoppedBy: number[][];
  shortestComplete: number | undefined;
  worstCase: number;
  worstCaseOf: number[];
}

type Configuration = { state: number; visits: number[] };
type Result = { next: Configuration } | { end: "stopped" | "stuck" | "dangling"; tried: number[] };

export function bruteFacts(machine: Machine): BruteFacts {
  const all = new Map<string, Configuration>();
  const edges = new Map<string, string[]>();
  const ends = new Map<string, Set<string>>();
  const stuck = new Map<string, number[]>();
  const stoppers = new Map<string, number[]>();
  const spent = new Set<number>();
  const starts = machine.roots.map((root) =>
    entered({ state: root, visits: machine.states.map(() => 0) }, root),
  );
  const todo = [...starts];
  for (const configuration of todo) {
    const key = keyOf(configuration);
    if (all.has(key)) continue;
    all.set(key, configuration);
    const state = machine.states[configuration.state];
    if (state === undefined) throw new Error("no such state");
    ends.set(key, new Set(state.edges.length === 0 ? ["complete"] : []));
    edges.set(key, []);
    const results = state.edges.map(({ target }) => go(machine, configuration, target, [], spent));
    const isStop = (result: Result): boolean => "end" in result && result.end === "stopped";
    const isOver = machine.reading.stops === "run ends" || results.every(isStop);
    for (const result of results) {
      if (isStop(result) && !isOver) continue;
      if ("end" in result) {
        ends.get(key)?.add(result.end);
        if (result.end === "stopped")
          stoppers.set(key, [...(stoppers.get(key) ?? []), ...result.tried.slice(-1)]);
        if (result.end === "stuck") stuck.set(key, [...(stuck.get(key) ?? []), ...result.tried]);
      } else {
        edges.get(key)?.push(keyOf(result.next));
        todo.push(result.next);
      }
    }
  }
  const keys = [...all.keys()];
  const after = new Map(keys.map((key) => [key, closure(key, edges)]));
  const reach = (key: string): string[] => [key, ...(after.get(key) ?? [])];
  const stateOf = (key: string): number => all.get(key)?.state ?? -1;
  const loops = keys.filter((key) => after.get(key)?.has(key));
  const isEnd = (key: string, ...kinds: string[]): boolean => kinds.some((kind) => ends.get(key)?.has(kind));
  const trapped = keys.filter((key) => !reach(key).some((k) => (ends.get(k)?.size ?? 0) > 0));
  const states = machine.states.map((state) => state.index);
  const ofState = (state: number): string[] => keys.filter((key) => stateOf(key) === state);
  const never = states.filter((state) => {
    if (isOnRing(machine, state)) return false;
    const mine = ofState(state);
    const bad = (key: string): boolean =>
      reach(key).some((k) => isEnd(k, "complete", "stuck") || trapped.includes(k));
    return mine.length > 0 && !mine.some(bad);
  });
  /** Breadth first over where the run is and whether it has been in the state. */
  const stepsToReentry = (state: number): number | undefined => {
    let level = starts.map((start) => ({ key: keyOf(start), been: start.state === state }));
    const seen = new Set(level.map((at) => JSON.stringify(at)));
    for (let steps = 1; level.length > 0; steps++) {
      const next = level.flatMap(({ key, been }) => (edges.get(key) ?? []).map((to) => ({ from: been, to })));
      if (next.some(({ from, to }) => from && stateOf(to) === state)) return steps;
      level = next
        .map(({ from, to }) => ({ key: to, been: from || stateOf(to) === state }))
        .filter((at) => !seen.has(JSON.stringify(at)) && seen.add(JSON.stringify(at)));
    }
    return undefined;
  };
  const stepsRound = (key: string): number => {
    const isThere = (k: string): boolean => k === key;
    const stem = shortest(starts.map(keyOf), edges, isThere) ?? Infinity;
    return stem - 1 + (shortest(edges.get(key) ?? [], edges, isThere) ?? Infinity);
  };
  const roundOf = (state: number, keys: string[]): number =>
    Math.min(...keys.filter((key) => stateOf(key) === state).map(stepsRound));
  const openLoops = loops.filter((key) => !trapped.includes(key));
  return {
    entered: unique(keys.map(stateOf)),
    reentered: states.filter((state) =>
      ofState(state).some((key) => [...(after.get(key) ?? [])].some((k) => stateOf(k) === state)),
    ),
    stepsToReentry: states.map((state) => stepsToReentry(state)),
    onEscapableLoop: unique(openLoops.map(stateOf)),
    stepsRound: states.map((state) => roundOf(state, loops)),
    stepsRoundOpen: states.map((state) => roundOf(state, openLoops)),
    onLoopWithout: states.map((state) => {
      const others = without(edges, ofState(state));
      return unique(loops.filter((key) => closure(key, others).has(key)).map(stateOf));
    }),
    statesAfter: states.map((state) =>
      unique(ofState(state).flatMap((key) => [...(after.get(key) ?? [])].map(stateOf))),
    ),
    metSpent: unique([...spent]),
    onUnboundedLoop: unique(loops.map(stateOf)),
    trapped: unique(trapped.map(stateOf)),
    isCaughtOnce: (state, guards) => {
      const isSpent = (key: string, guard: number): boolean =>
        (all.get(key)?.visits[guard] ?? 0) >= (machine.states[guard]?.maxVisits ?? Infinity);
      const mine = ofState(state).filter((key) => guards.every((guard) => isSpent(key, guard)));
      return mine.length > 0 && mine.every((key) => trapped.includes(key));
    },
    neverCompletes: never,
    cannotComplete: states.filter((state) => {
      const mine = ofState(state);
      return mine.length > 0 && !mine.some((key) => reach(key).some((k) => isEnd(k, "complete")));
    }),
    onForcedExitCycle: states.filter((state) => isOnRing(machine, state)),
    stepsToStuck: states.map((state) => {
      const entries = shortest(starts.map(keyOf), edges, (key) => stuck.get(key)?.includes(state) === true);
      return entries === undefined ? undefined : entries - 1;
    }),
    stoppedBy: states.map((state) =>
      unique(ofState(state).flatMap((key) => reach(key).flatMap((k) => stoppers.get(k) ?? []))),
    ),
    shortestComplete: shortest(starts.map(keyOf), edges, (key) => isEnd(key, "complete")),
    worstCase: longest(starts.map(keyOf), edges, after, () => true),
    worstCaseOf: states.map((state) =>
      longest(starts.map(keyOf), edges, after, (key) => stateOf(key) === state),
    ),
  };
}

/** The most that the weights of the states add up to on a run of at most so many entries: by trying them all. */
export function bruteMostWithin(machine: Machine, weights: readonly number[], entries: number): number {
  const after = (from: Configuration, left: number): number => {
    const ways = left === 1 ? [] : (machine.states[from.state]?.edges ?? []);
    const rest = ways.map(({ target }) => {
      const result = go(machine, from, target, [], new Set());
      return "end" in result ? 0 : after(result.next, left - 1);
    });
    return (weights[from.state] ?? 0) + Math.max(0, ...rest);
  };
  const none = machine.states.map(() => 0);
  return Math.max(
    ...machine.roots.map((root) => after(entered({ state: root, visits: none }, root), entries)),
  );
}

function entered(from: Configuration, state: number): Configuration {
  return { state, visits: from.visits.map((count, index) => (index === state ? count + 1 : count)) };
}

function go(
  machine: Machine,
  from: Configuration,
  target: number,
  tried: number[],
  spent: Set<number>,
): Result {
  const state = machine.states[target];
  if (state === undefined) return { end: "dangling", tried };
  const limit = state.maxVisits;
  if (limit === undefined) return { next: { ...entered(from, target), visits: from.visits } };
  if ((from.visits[target] ?? 0) < limit) return { next: entered(from, target) };
  spent.add(target);
  if (tried.includes(target)) return { end: "stuck", tried };
  if (state.forcedExit === undefined) return { end: "stopped", tried: [...tried, target] };
  if (machine.reading.forcedExits === "entered") return goByForce(machine, from, state.forcedExit, target);
  return go(machine, from, state.forcedExit, [...tried, target], spent);
}

/** In a runtime that does not look at the guard of the state that it enters instead; more visits than that change nothing. */
function goByForce({ states }: Machine, from: Configuration, target: number, spent: number): Result {
  const state = states[target];
  if (state === undefined) return { end: "dangling", tried: [spent] };
  const next = entered(from, target);
  return {
    next: {
      ...next,
      visits: next.visits.map((count, i) => Math.min(count, states[i]?.maxVisits ?? from.visits[i] ?? 0)),
    },
  };
}

function keyOf(configuration: Configuration): string {
  return JSON.stringify(configuration);
}

function without(edges: Map<string, string[]>, left: string[]): Map<string, string[]> {
  const rest = [...edges].filter(([key]) => !left.includes(key));
  return new Map(rest.map(([key, next]) => [key, next.filter((to) => !left.includes(to))]));
}

function closure(from: string, edges: Map<string, string[]>): Set<string> {
  const seen = new Set(edges.get(from));
  for (const key of seen) for (const next of edges.get(key) ?? []) seen.add(next);
  return seen;
}

function isOnRing(machine: Machine, start: number): boolean {
  if (machine.reading.forcedExits === "entered") return false;
  let state: number | undefined = start;
  for (let i = 0; i <= machine.states.length; i++) {
    const current: Machine["states"][number] | undefined = machine.states[state ?? -1];
    if (current === undefined || current.ends || current.maxVisits === undefined) return false;
    state = current.forcedExit;
    if (state === start) return machine.states[start]?.maxVisits !== undefined;
  }
  return false;
}

function shortest(
  starts: string[],
  edges: Map<string, string[]>,
  isGoal: (key: string) => boolean,
): number | undefined {
  let level = starts;
  const seen = new Set(starts);
  for (let entries = 1; level.length > 0; entries++) {
    if (level.some(isGoal)) return entries;
    level = level.flatMap((key) => edges.get(key) ?? []).filter((key) => !seen.has(key) && seen.add(key));
  }
  return undefined;
}

function longest(
  starts: string[],
  edges: Map<string, string[]>,
  after: Map<string, Set<string>>,
  counts: (key: string) => boolean,
): number {
  const known = new Map<string, number>();
  const best = (key: string): number => {
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const loop = [key, ...(after.get(key) ?? [])].filter((k) => after.get(k)?.has(key));
    if (loop.some(counts)) {
      known.set(key, Infinity);
      return Infinity;
    }
    known.set(key, 0); // only met again inside a loop that counts nothing
    const members = new Set([key, ...loop]);
    const exits = [...members].flatMap((k) => edges.get(k) ?? []).filter((k) => !members.has(k));
    const result = (counts(key) ? 1 : 0) + Math.max(0, ...exits.map(best));
    known.set(key, result);
    return result;
  };
  return Math.max(...starts.map(best));
}

function unique(numbers: number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
