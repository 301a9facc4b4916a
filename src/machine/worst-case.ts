import { type Components, isOnCycle } from "../graph/components.js";
import { at, filled } from "../graph/digraph.js";
import type { Exploration } from "./explore.js";

/** Bounds the work for single states, since each may take a pass over every configuration. */
const maxEdgesPerState = 60_000_000;
/** Bounds the memory of a pass that counts the entries of several states. */
const maxCounts = 4_000_000;
/** Bounds the work for runs of a limited length, since these visit the edges of a loop again and again. */
const maxBoundedRunWork = 20_000_000;

/** The maximum number of entries in one run: of all states, of one state, or weighted. */
export class WorstCases {
  private readonly heaviestAhead: number[];
  private readonly counts = new Map<number, number>();
  private all: number | undefined;
  private edgesVisited = 0;
  private boundedWork = 0;

  constructor(
    private readonly exploration: Exploration,
    private readonly parts: Components,
    private readonly configurationsOf: readonly (readonly number[])[],
  ) {
    this.heaviestAhead = filled(parts.count, 0);
  }

  /** Infinite if there is an unbounded loop. */
  ofAll(): number {
    return (this.all ??= this.heaviestRun(filled(this.parts.order.length, 1)));
  }

  /** Weights must not be negative. */
  weighted(weightOf: (state: number) => number, entries: number): number {
    const weights = filled(this.parts.order.length, 0);
    this.configurationsOf.forEach((configurations, state) => {
      for (const node of configurations) weights[node] = weightOf(state);
    });
    return entries < this.ofAll() ? this.heaviestBoundedRun(weights, entries) : this.heaviestRun(weights);
  }

  of(state: number, entries: number): number | undefined {
    const configurations = this.configurationsOf[state] ?? [];
    const nearest = configurations[0];
    if (nearest === undefined || at(this.exploration.reached.distance, nearest) >= entries) return 0;
    const loops = this.isInLoop(state);
    // Outside loops, a run that comes back is in another configuration.
    if (!loops && configurations.length === 1) return 1;
    const isCut = entries < this.ofAll();
    if (loops && !isCut) return Infinity;
    if (!isCut) return this.counts.get(state) ?? this.countEntries(state);
    if (!this.mayVisitEdges(1)) return undefined;
    const counted = filled(this.parts.order.length, 0);
    for (const node of configurations) counted[node] = 1;
    return this.heaviestBoundedRun(counted, entries);
  }

  private isInLoop(state: number): boolean {
    return this.configurationsOf[state]?.some((node) => isOnCycle(this.parts, node)) === true;
  }

  private mayVisitEdges(times: number): boolean {
    if (this.edgesVisited > maxEdgesPerState) return false;
    this.edgesVisited += times * (this.parts.order.length + this.exploration.graph.targets.length);
    return true;
  }

  /** The most entries of a state outside loops. The same pass counts those of the states after it: most rules ask for all. */
  private countEntries(first: number): number | undefined {
    const { of, order, count } = this.parts;
    const { offsets, targets } = this.exploration.graph;
    const states: number[] = [];
    const most = Math.max(1, Math.floor(maxCounts / count));
    for (let state = first; state < this.configurationsOf.length && states.length < most; state++)
      if ((this.configurationsOf[state]?.length ?? 0) > 1 && !this.isInLoop(state)) states.push(state);
    const width = states.length;
    if (!this.mayVisitEdges(width)) return undefined;
    const columns = new Int32Array(order.length).fill(-1);
    states.forEach((state, column) => {
      for (const node of this.configurationsOf[state] ?? []) columns[node] = column;
    });
    // For each part, the most entries of each state from there on.
    const ahead = new Int32Array(count * width);
    for (const node of order) {
      const part = of[node] ?? 0;
      const row = part * width;
      const end = offsets[node + 1] ?? 0;
      for (let edge = offsets[node] ?? 0; edge < end; edge++) {
        const target = of[targets[edge] ?? 0] ?? 0;
        const targetRow = target * width;
        for (let column = 0; column < width; column++) {
          const entries = ahead[targetRow + column] ?? 0;
          if (entries > (ahead[row + column] ?? 0)) ahead[row + column] = entries;
        }
      }
      // Such a node is a part of its own.
      const own = columns[node] ?? -1;
      if (own >= 0) ahead[row + own] = (ahead[row + own] ?? 0) + 1;
    }
    states.forEach((state, column) => {
      const counts = this.exploration.starts.map((start) => ahead[(of[start] ?? 0) * width + column] ?? 0);
      this.counts.set(state, Math.max(0, ...counts));
    });
    return this.counts.get(first);
  }

  private heaviestRun(weights: readonly number[]): number {
    const { heaviestAhead } = this;
    const { of, order, cyclic } = this.parts;
    const { offsets, targets } = this.exploration.graph;
    let part = -1;
    let own = 0;
    let longest = 0;
    for (const node of order) {
      if (of[node] !== part) {
        part = of[node] ?? 0;
        own = longest = 0;
      }
      const weight = weights[node] ?? 0;
      if (weight > 0) own = cyclic[part] === 1 ? Infinity : own + weight;
      const end = offsets[node + 1] ?? 0;
      for (let edge = offsets[node] ?? 0; edge < end; edge++) {
        const target = of[targets[edge] ?? 0] ?? 0;
        const ahead = heaviestAhead[target] ?? 0;
        if (target !== part && ahead > longest) longest = ahead;
      }
      heaviestAhead[part] = own + longest;
    }
    let most = 0;
    for (const start of this.exploration.starts) most = Math.max(most, heaviestAhead[of[start] ?? 0] ?? 0);
    return most;
  }

  /** For runs that are cut after some entries. Once the budget is used up, only an upper bound. */
  private heaviestBoundedRun(weights: readonly number[], entries: number): number {
    const bound = weights.reduce((most, weight) => Math.max(most, weight), 0) * entries;
    if (this.boundedWork > maxBoundedRunWork) return bound;
    const { offsets, targets } = this.exploration.graph;
    // For each configuration, the weight of the heaviest run that is there after so many entries, or -1.
    let heaviest = filled(weights.length, -1);
    let nextHeaviest = filled(weights.length, -1);
    this.boundedWork += weights.length;
    let nodes = [...new Set(this.exploration.starts)];
    for (const start of nodes) heaviest[start] = weights[start] ?? 0;
    let most = 0;
    for (let remaining = entries; nodes.length > 0; remaining--) {
      for (const node of nodes) most = Math.max(most, heaviest[node] ?? 0);
      if (remaining <= 1) break;
      const next: number[] = [];
      for (const node of nodes) {
        const end = offsets[node + 1] ?? 0;
        for (let edge = offsets[node] ?? 0; edge < end; edge++) {
          const target = targets[edge] ?? 0;
          const known = nextHeaviest[target] ?? -1;
          if (known === -1) next.push(target);
          nextHeaviest[target] = Math.max(known, (heaviest[node] ?? 0) + (weights[target] ?? 0));
        }
        this.boundedWork += 1 + end - (offsets[node] ?? 0);
        heaviest[node] = -1;
      }
      if (this.boundedWork > maxBoundedRunWork) return bound;
      nodes = next;
      [heaviest, nextHeaviest] = [nextHeaviest, heaviest];
    }
    return most;
  }
}
