import { components } from "../graph/components.js";
import { at, type Digraph, digraphOfEdges } from "../graph/digraph.js";
import { canReach, reachableAfterAStep } from "../graph/reachability.js";
import { COMPLETE, type Exploration, LOST, STOPPED, STUCK } from "./explore.js";
import type { Facts, Witnessed } from "./facts.js";
import { forcedExitChains, forcedExitCycles } from "./forced-exits.js";
import type { Machine } from "./machine.js";
import { reenteredStates } from "./reentry.js";
import { lazily, once } from "./lazily.js";
import { Witnesses } from "./witness.js";
import { WorstCases } from "./worst-case.js";

/** Each fact is a plain question on the finite graph of configurations, answered when it is first asked. */
export function exactFacts(machine: Machine, exploration: Exploration): Facts {
  const { graph, stateOf, endings } = exploration;
  const all = Array.from({ length: graph.size }, (_, configuration) => configuration);
  const endsBy = (mask: number): number[] => all.filter((c) => (at(endings, c) & mask) !== 0);
  const witnesses = once(() => new Witnesses(machine, exploration));
  const parts = once(() => components(graph));
  const together = (a: number, b: number): boolean => at(parts().of, a) === at(parts().of, b);
  const inLoop = (c: number): boolean => at(parts().cyclic, at(parts().of, c)) === 1;
  const ends = once(() => canReach(graph, endsBy(COMPLETE | STOPPED | STUCK | LOST)));
  const isTrapped = (c: number): boolean => ends()[c] === 0;
  const worstCases = once(() => new WorstCases(exploration, parts(), machine.states.length));

  return lazily<Facts>({
    machine: () => machine,
    exact: () => true,
    entered: () => new Set(all.map(stateOf)),
    reentered: () => reenteredStates(machine, exploration, parts()),
    metSpent: () => new Set(indexesOf(exploration.metSpent)),
    unboundedLoops: () =>
      regions(exploration, inLoop, together).map(({ states, configurations }) => {
        return { states, witness: witnesses().lasso(configurations, together), certain: true };
      }),
    trapped: () =>
      regions(exploration, isTrapped, () => true).map(({ states, configurations }) => {
        const first = witnesses().nearestFirst(configurations)[0];
        return { states, witness: first === undefined ? undefined : witnesses().runTo(first), certain: true };
      }),
    neverCompletes: () => neverCompletes(machine, exploration, witnesses(), isTrapped),
    forcedExitCycles: () => withStuckRuns(forcedExitCycles(machine), exploration, witnesses),
    forcedExitEnds: () => forcedExitChains(machine),
    dangles: () => endsBy(LOST).length > 0,
    shortestComplete: () => {
      const complete = witnesses().nearest((c) => (at(endings, c) & COMPLETE) !== 0);
      if (complete === undefined) return undefined;
      return { entries: witnesses().entriesTo(complete), witness: witnesses().runTo(complete) };
    },
    worstCase: () => worstCases().ofAll(),
    worstCaseOf: () => (state) => worstCases().of(state),
    statesAfter: () => (states) => {
      const from = new Set(states);
      const after = reachableAfterAStep(
        graph,
        all.filter((configuration) => from.has(stateOf(configuration))),
      );
      return new Set(indexesOf(after).map(stateOf));
    },
  });
}

interface Region {
  readonly states: readonly number[];
  readonly configurations: readonly number[];
}

/**
 * Configurations differ in their counts, but an author thinks in states: configurations that `belong` are joined
 * when an edge that `joins` them connects their states. For loops the edges run both ways round, so that states
 * which share a loop are one region.
 */
function regions(
  exploration: Exploration,
  belongs: (configuration: number) => boolean,
  joins: (from: number, to: number) => boolean,
): readonly Region[] {
  const { graph, stateOf } = exploration;
  const from: number[] = [];
  const to: number[] = [];
  const members: number[] = [];
  let states = 0;
  for (let configuration = 0; configuration < graph.size; configuration++) {
    states = Math.max(states, stateOf(configuration) + 1);
    if (!belongs(configuration)) continue;
    members.push(configuration);
    for (const target of successors(graph, configuration)) {
      if (!belongs(target) || !joins(configuration, target)) continue;
      from.push(stateOf(configuration), stateOf(target));
      to.push(stateOf(target), stateOf(configuration));
    }
  }
  const parts = components(digraphOfEdges(states, from, to));
  const byPart = new Map<number, { states: Set<number>; configurations: number[] }>();
  for (const configuration of members) {
    const part = at(parts.of, stateOf(configuration));
    const region = byPart.get(part) ?? { states: new Set(), configurations: [] };
    byPart.set(part, region);
    region.states.add(stateOf(configuration));
    region.configurations.push(configuration);
  }
  return [...byPart.values()]
    .map((region) => ({ ...region, states: [...region.states].sort((a, b) => a - b) }))
    .sort((a, b) => at(a.states, 0) - at(b.states, 0));
}

function neverCompletes(
  machine: Machine,
  exploration: Exploration,
  witnesses: Witnesses,
  isTrapped: (configuration: number) => boolean,
): Witnessed | undefined {
  const { graph, stateOf, endings } = exploration;
  const all = witnesses.reached.order;
  const completes = canReach(
    graph,
    all.filter((c) => (at(endings, c) & COMPLETE) !== 0),
  );
  // A state that can be trapped or stuck has a worse fault, which has a rule of its own.
  const worse = canReach(
    graph,
    all.filter((c) => isTrapped(c) || (at(endings, c) & STUCK) !== 0),
  );
  const excluded = new Set<number>();
  for (const configuration of all) {
    if (completes[configuration] === 1 || worse[configuration] === 1) excluded.add(stateOf(configuration));
  }
  const entered = new Set(all.map(stateOf));
  const states = machine.states.map((state) => state.index).filter((s) => entered.has(s) && !excluded.has(s));
  const first = witnesses.nearest((configuration) => !excluded.has(stateOf(configuration)));
  return first === undefined ? undefined : { states, witness: witnesses.runTo(first), certain: true };
}

/** Configurations replayed while looking for runs that get stuck. */
const maxStuckReplays = 1000;

/** Gives each ring of forced exits the shortest run that goes on into it, where there is one. */
function withStuckRuns(
  cycles: readonly Witnessed[],
  exploration: Exploration,
  witnesses: () => Witnesses,
): readonly Witnessed[] {
  if (cycles.length === 0) return cycles;
  const stuckAt = new Map<number, number>();
  let replaysLeft = maxStuckReplays;
  for (const configuration of witnesses().reached.order) {
    if ((at(exploration.endings, configuration) & STUCK) === 0) continue;
    if (replaysLeft-- === 0) break;
    const run = witnesses().runAt(configuration);
    for (const event of run.current.edges.keys()) {
      const outcome = run.look(event);
      if (outcome.kind !== "stuck") continue;
      for (const state of outcome.forced) if (!stuckAt.has(state)) stuckAt.set(state, configuration);
    }
  }
  return cycles.map((cycle) => {
    const stuck = stuckAt.get(at(cycle.states, 0));
    return stuck === undefined ? cycle : { ...cycle, witness: witnesses().runTo(stuck) };
  });
}

function* successors(graph: Digraph, node: number): Iterable<number> {
  for (let edge = at(graph.offsets, node); edge < at(graph.offsets, node + 1); edge++)
    yield at(graph.targets, edge);
}

function indexesOf(marked: Uint8Array): number[] {
  const indexes: number[] = [];
  marked.forEach((mark, index) => {
    if (mark === 1) indexes.push(index);
  });
  return indexes;
}
