import { at, type Components, type Digraph, filled, isOnCycle } from "../graph/digraph.js";
import { reachableFromSuccessors } from "../graph/paths.js";
import { getOrCreate } from "../text/collections.js";
import { configurationsByState, type Exploration } from "./explore.js";

/** Bound the time and the memory of all searches. */
const maxWalkCost = 100_000_000;
const maxCachedStates = 1_000_000;

/** Finds the states that can come after others by a walk, unless there were too many; it remembers what it found. */
export function statesAfterSearch(
  states: number,
  { size, targets }: Digraph,
  walk: (from: readonly number[]) => ReadonlySet<number>,
): (from: readonly number[]) => ReadonlySet<number> | undefined {
  const maxWalks = Math.min(maxWalkCost / (size + targets.length), maxCachedStates / states);
  const found = new Map<string, ReadonlySet<number>>();
  return (from) => {
    const key = from.join();
    return found.size < maxWalks ? getOrCreate(found, key, () => walk(from)) : found.get(key);
  };
}

/** Bits of a small integer. */
const maxBitsetStates = 31;

/** Bounds the search: the states found until then are correct. */
const maxReentryEdges = 4_000_000;

/** The states that runs can still enter from each configuration. */
export class ReachableStates {
  /** Per component, if there are few states: one pass over the edges answers every question. */
  private readonly bits: readonly number[] | undefined;

  constructor(
    private readonly states: number,
    private readonly exploration: Exploration,
    private readonly parts: Components,
  ) {
    if (states <= maxBitsetStates) this.bits = reachableStateBits(exploration, parts);
  }

  reentered(): ReadonlySet<number> {
    const { bits, exploration, parts } = this;
    if (bits === undefined) return this.findReentered();
    let again = 0;
    for (let c = 0; c < exploration.graph.size; c++) {
      again |= (bits[parts.of[c] ?? 0] ?? 0) & (1 << exploration.stateOf(c));
    }
    return this.statesIn(again);
  }

  private findReentered(): ReadonlySet<number> {
    const { exploration, parts } = this;
    const { graph } = exploration;
    const reentered = new Set<number>();
    let edgesVisited = 0;
    configurationsByState(this.states, exploration).forEach((configurations, state) => {
      const inLoop = configurations.some((configuration) => isOnCycle(parts, configuration));
      if (inLoop) reentered.add(state);
      // Outside loops, a run that comes back is in another configuration.
      if (inLoop || configurations.length < 2 || edgesVisited > maxReentryEdges) return;
      const isGoal = new Set(configurations);
      // Appended to while iterating.
      const reached = new Set(configurations);
      for (const from of reached) {
        for (let edge = at(graph.offsets, from); edge < at(graph.offsets, from + 1); edge++) {
          edgesVisited++;
          const target = at(graph.targets, edge);
          if (isGoal.has(target)) return void reentered.add(state);
          reached.add(target);
        }
      }
    });
    return reentered;
  }

  after(states: ReadonlySet<number>): ReadonlySet<number> {
    const { bits, parts } = this;
    const { graph, stateOf } = this.exploration;
    const from: number[] = [];
    for (let c = 0; c < graph.size; c++) if (states.has(stateOf(c))) from.push(c);
    if (bits !== undefined) return this.statesIn(from.reduce((all, c) => all | at(bits, at(parts.of, c)), 0));
    return new Set(reachableFromSuccessors(graph, from).map(stateOf));
  }

  private statesIn(bits: number): ReadonlySet<number> {
    const found = new Set<number>();
    for (let state = 0; state < this.states; state++) if ((bits & (1 << state)) !== 0) found.add(state);
    return found;
  }
}

function reachableStateBits({ graph, stateOf }: Exploration, { of, order, count }: Components) {
  const { offsets, targets } = graph;
  const ahead = filled(count, 0);
  for (const node of order) {
    const part = of[node] ?? 0;
    let bits = ahead[part] ?? 0;
    const end = offsets[node + 1] ?? 0;
    for (let edge = offsets[node] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      bits |= (ahead[of[target] ?? 0] ?? 0) | (1 << stateOf(target));
    }
    ahead[part] = bits;
  }
  return ahead;
}
