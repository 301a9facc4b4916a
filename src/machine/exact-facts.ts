import type { Trace } from "../diagnostic.js";
import { type Components, components, isOnCycle } from "../graph/components.js";
import { at, filled, subgraph, successors } from "../graph/digraph.js";
import { canReach } from "../graph/reachability.js";
import { lazy } from "../text/collections.js";
import { COMPLETE, configurationsByState, type Exploration, LOST, STOPPED, STUCK } from "./explore.js";
import type { ChainEnd, Facts, ForcedExitCycle, Loop, Trap, TrapClosure, WitnessedStates } from "./facts.js";
import { lapAnalyzer } from "./laps.js";
import { inFileOrder, type Machine } from "./machine.js";
import { findClosures, findRegions, findSinkLoops } from "./regions.js";
import { ReachableStates, StatesAfterCache } from "./states-after.js";
import { forcedExitCycles, forcedExitEnds } from "./structure.js";
import { Witnesses } from "./witnesses.js";

/** Facts read off the finite graph of configurations, each computed on first use. */
export class ExactFacts implements Facts {
  readonly exact = true;
  private readonly answers: { -readonly [Name in keyof Facts]?: Facts[Name] } = {};
  private readonly witnesses: Witnesses;
  private readonly afterCache: StatesAfterCache;
  private readonly parts = lazy(() => components(this.exploration.graph));
  private readonly byState = lazy(() => configurationsByState(this.machine.states.length, this.exploration));
  private readonly reachableStates = lazy(
    () => new ReachableStates(this.machine.states.length, this.exploration, this.parts()),
  );
  private readonly worstCases = lazy(() => new WorstCases(this.exploration, this.parts(), this.byState()));
  /** Marks the configurations from which some run ends in any way. */
  private readonly canEnd = lazy(() =>
    this.canReach((c) => this.endsBy(c, COMPLETE | STOPPED | STUCK | LOST)),
  );
  private readonly shortest = lazy(() =>
    this.witnesses.completeRun(this.witnesses.nearest((c) => this.endsBy(c, COMPLETE))),
  );
  private readonly incomplete = lazy(() => this.findNeverCompletes());

  constructor(
    readonly machine: Machine,
    readonly exploration: Exploration,
  ) {
    this.witnesses = new Witnesses(machine, exploration);
    this.afterCache = new StatesAfterCache(machine.states.length, exploration.graph, (from) =>
      this.reachableStates().after(new Set(from)),
    );
  }

  get entered(): ReadonlySet<number> {
    return (this.answers.entered ??= this.statesOf(() => true));
  }

  get certainlyEntered(): ReadonlySet<number> {
    return this.entered;
  }

  get reentered(): ReadonlySet<number> {
    return (this.answers.reentered ??= this.reachableStates().reentered());
  }

  get attemptedWhileSpent(): ReadonlySet<number> {
    return (this.answers.attemptedWhileSpent ??= new Set(
      this.exploration.attemptedWhileSpent.flatMap((mark, state) => (mark === 1 ? state : [])),
    ));
  }

  findReentry(states: Iterable<number>): Trace | undefined {
    return this.witnesses.runEnteringTwice([...states].map((state) => this.byState()[state] ?? []));
  }

  get unboundedLoops(): readonly Loop[] {
    return (this.answers.unboundedLoops ??= this.findLoops(() => true));
  }

  get escapableLoops(): readonly Loop[] {
    return (this.answers.escapableLoops ??=
      this.trapped.length === 0 ? this.unboundedLoops : this.findLoops((c) => !this.isTrapped(c)));
  }

  loopsAmong(states: ReadonlySet<number>, escapable: boolean): readonly Loop[] {
    if (!this.parts().hasCycle) return [];
    const { graph, stateOf } = this.exploration;
    const belongs = (c: number): boolean => states.has(stateOf(c)) && !(escapable && this.isTrapped(c));
    return this.findLoops(belongs, components(subgraph(graph, belongs)));
  }

  get trapped(): readonly Trap[] {
    return (this.answers.trapped ??= this.findTrapped());
  }

  get neverCompletes(): WitnessedStates | undefined {
    return this.incomplete();
  }

  get forcedExitCycles(): readonly ForcedExitCycle[] {
    return (this.answers.forcedExitCycles ??= this.findForcedExitCycles());
  }

  get forcedExitEnds(): readonly (ChainEnd | undefined)[] {
    return (this.answers.forcedExitEnds ??= forcedExitEnds(this.machine));
  }

  get shortestComplete(): Facts["shortestComplete"] {
    return this.shortest();
  }

  get worstCase(): number {
    return this.worstCases().ofAll();
  }

  worstCaseOf(state: number, entries = Infinity): number | undefined {
    return this.worstCases().of(state, entries);
  }

  weightedWorstCase(weightOf: (state: number) => number, entries: number): number | undefined {
    return this.worstCases().weighted(weightOf, entries);
  }

  statesAfter(states: readonly number[]): ReadonlySet<number> | undefined {
    return this.afterCache.of(states);
  }

  private readonly isTrapped = (c: number): boolean => this.canEnd()[c] === 0;

  private canReach(isGoal: (configuration: number) => boolean): readonly number[] {
    return canReach(this.exploration.graph, this.parts(), isGoal);
  }

  private endsBy(configuration: number, mask: number): boolean {
    return (at(this.exploration.endings, configuration) & mask) !== 0;
  }

  private statesOf(test: (configuration: number) => boolean): ReadonlySet<number> {
    const { graph, stateOf } = this.exploration;
    const found = new Set<number>();
    for (let c = 0; c < graph.size; c++) if (test(c)) found.add(stateOf(c));
    return found;
  }

  /** Cycles of configurations that `belong`, one for each set of states. */
  private findLoops(belongs: (configuration: number) => boolean, parts = this.parts()): readonly Loop[] {
    const { graph, stateOf } = this.exploration;
    if (!parts.hasCycle) return [];
    const inSameComponent = (a: number, b: number): boolean => at(parts.of, a) === at(parts.of, b);
    const inLoop = (c: number): boolean => isOnCycle(parts, c) && belongs(c);
    const laps = lapAnalyzer(this.machine, (c) => successors(graph, c), stateOf);
    return findRegions(this.exploration, inLoop, inSameComponent).map(({ states, configurations }) => {
      const witness = this.witnesses.lasso(configurations, inSameComponent);
      return { states, witness, certain: true, ...laps(configurations) };
    });
  }

  private findTrapped(): readonly Trap[] {
    // Without a cycle every run ends.
    if (!this.parts().hasCycle) return [];
    return findRegions(this.exploration, this.isTrapped, () => true).map(({ states, configurations }) => {
      const trapped = this.nearestFirst(configurations, at(states, 0));
      const closedBy = (): readonly TrapClosure[] => {
        const all = states.flatMap((state) => this.byState()[state] ?? []);
        const open = all.filter((c) => !this.isTrapped(c));
        return findClosures(this.machine, this.exploration, trapped, open);
      };
      const witness =
        this.witnesses.runIntoLoop(at(trapped, 0), this.parts()) ?? this.witnesses.runTo(trapped[0]);
      const sinkLoops = () => findSinkLoops(this.exploration, this.parts(), configurations);
      return { states, witness, closedBy, sinkLoops };
    });
  }

  /** Among the nearest configurations, prefers one of the given state, where the finding is reported. */
  private nearestFirst(configurations: readonly number[], state: number): readonly number[] {
    const { witnesses } = this;
    const nearest = witnesses.nearestFirst(configurations);
    const entries = nearest[0] === undefined ? 0 : witnesses.entriesTo(nearest[0]);
    const first = nearest.find(
      (c) => this.exploration.stateOf(c) === state && witnesses.entriesTo(c) === entries,
    );
    return first === undefined ? nearest : [first, ...nearest];
  }

  private findNeverCompletes(): WitnessedStates | undefined {
    const { stateOf, allEndings } = this.exploration;
    // Every run ends, and does so by completing.
    if (allEndings === COMPLETE && !this.parts().hasCycle) return undefined;
    const completes = this.canReach((c) => this.endsBy(c, COMPLETE));
    if (!completes.includes(0)) return undefined;
    // Traps and forced exit cycles are worse, and have their own rules.
    const worse = this.canReach((c) => this.isTrapped(c) || this.endsBy(c, STUCK));
    const excluded = new Set(this.statesOf((c) => completes[c] === 1 || worse[c] === 1));
    for (const { states } of this.forcedExitCycles) for (const state of states) excluded.add(state);
    const states = inFileOrder(this.entered).filter((state) => !excluded.has(state));
    if (states.length === 0) return undefined;
    const first = this.witnesses.nearest((c) => !excluded.has(stateOf(c)));
    return { states, witness: this.witnesses.runTo(first) };
  }

  private findForcedExitCycles(): readonly ForcedExitCycle[] {
    const { stateOf, stuckAt, stuckBy } = this.exploration;
    return forcedExitCycles(this.machine).map((cycle) => {
      const ring = at(cycle.states, 0);
      const stuck = at(stuckAt, ring);
      if (stuck === -1) return cycle;
      const state = stateOf(stuck);
      const edge = this.machine.states[state]?.edges[at(stuckBy, ring)];
      return { ...cycle, witness: this.witnesses.runTo(stuck), stuckBy: { state, edge } };
    });
  }
}

/** Bounds the work for single states, since each may take a pass over every configuration. */
const maxEdgesPerState = 60_000_000;
/** Bounds the memory of a pass that counts the entries of several states. */
const maxCounts = 4_000_000;
/** Bounds the work for runs of a limited length, since these visit the edges of a loop again and again. */
const maxBoundedRunWork = 20_000_000;

/** The maximum number of entries in one run: of all states, of one state, or weighted. */
class WorstCases {
  private readonly heaviestAhead: number[];
  private readonly counts = new Map<number, number>();
  private all: number | undefined;
  private edgesVisited = 0;
  private boundedWork = 0;

  constructor(
    readonly exploration: Exploration,
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
