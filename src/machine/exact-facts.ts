import {
  at,
  type Components,
  components,
  filled,
  isOnCycle,
  subgraph,
  successors,
} from "../graph/digraph.js";
import { canReach } from "../graph/paths.js";
import { lazy, withLazy } from "../text/collections.js";
import {
  COMPLETE,
  configurationsByState,
  type Exploration,
  explore,
  LOST,
  STOPPED,
  STUCK,
  type Work,
} from "./explore.js";
import type { Facts, ForcedExitCycle, Loop, Trap, WitnessedStates } from "./facts.js";
import { lapAnalyzer } from "./laps.js";
import { inFileOrder, isRfcReading, type Machine } from "./machine.js";
import { findClosures, findRegions, findSinkLoops } from "./regions.js";
import { ReachableStates, statesAfterSearch } from "./states-after.js";
import { structuralFacts } from "./structural-facts.js";
import { forcedExitCycles, forcedExitEnds } from "./structure.js";
import { Witnesses } from "./witnesses.js";

export function findFacts(machine: Machine, work?: Work): Facts {
  const exploration = explore(machine, work);
  return exploration === undefined ? structuralFacts(machine) : exactFacts(machine, exploration);
}

/** Facts read off the finite graph of configurations, each computed on first use. */
function exactFacts(machine: Machine, exploration: Exploration): Facts {
  const runs = new ExactRuns(machine, exploration);
  const { witnesses } = runs;
  const entered = lazy(() => runs.statesOf(() => true));
  const ahead = lazy(() => new ReachableStates(machine.states.length, exploration, runs.parts()));
  const worstCases = lazy(() => new WorstCases(exploration, runs.parts(), runs.byState()));
  const facts: Facts = withLazy(
    {
      machine,
      exploration,
      exact: true,
      attemptedWhileSpent: exploration.runs.attemptedWhileSpent,
      findReentry: (states: Iterable<number>) =>
        witnesses.runEnteringTwice([...states].map((state) => runs.byState()[state] ?? [])),
      loopsAmong: (states: ReadonlySet<number>, escapable: boolean) => runs.loopsAmong(states, escapable),
      worstCaseOf: (state: number, entries = Infinity) => worstCases().of(state, entries),
      weightedWorstCase: (weightOf: (state: number) => number, entries: number) =>
        worstCases().weighted(weightOf, entries),
      statesAfter: statesAfterSearch(machine.states.length, exploration.graph, (from) =>
        ahead().after(new Set(from)),
      ),
    },
    {
      entered,
      certainlyEntered: entered,
      reentered: () => ahead().reentered(),
      unboundedLoops: () => runs.findLoops(() => true),
      escapableLoops: () =>
        facts.trapped.length === 0 ? facts.unboundedLoops : runs.findLoops((c) => !runs.isTrapped(c)),
      trapped: () => runs.findTrapped(),
      neverCompletes: () => runs.findNeverCompletes(facts),
      forcedExitCycles: () => runs.findForcedExitCycles(),
      forcedExitEnds: () => forcedExitEnds(machine),
      shortestComplete: () => witnesses.completeRun(witnesses.nearest((c) => runs.endsBy(c, COMPLETE))),
      worstCase: () => worstCases().ofAll(),
    },
  );
  return facts;
}

class ExactRuns {
  readonly witnesses: Witnesses;
  readonly parts = lazy(() => components(this.exploration.graph));
  readonly byState = lazy(() => configurationsByState(this.machine.states.length, this.exploration));
  private readonly canEnd = lazy(() =>
    this.canReach((c) => this.endsBy(c, COMPLETE | STOPPED | STUCK | LOST)),
  );

  constructor(
    private readonly machine: Machine,
    private readonly exploration: Exploration,
  ) {
    this.witnesses = new Witnesses(machine, exploration);
  }

  readonly isTrapped = (c: number): boolean => this.canEnd()[c] === 0;

  private canReach(isGoal: (configuration: number) => boolean): readonly number[] {
    return canReach(this.exploration.graph, this.parts(), isGoal);
  }

  endsBy(configuration: number, mask: number): boolean {
    return (at(this.exploration.runs.endings, configuration) & mask) !== 0;
  }

  statesOf(test: (configuration: number) => boolean): ReadonlySet<number> {
    const { graph, stateOf } = this.exploration;
    const found = new Set<number>();
    for (let c = 0; c < graph.size; c++) if (test(c)) found.add(stateOf(c));
    return found;
  }

  loopsAmong(states: ReadonlySet<number>, escapable: boolean): readonly Loop[] {
    if (!this.parts().hasCycle) return [];
    const { graph, stateOf } = this.exploration;
    const belongs = (c: number): boolean => states.has(stateOf(c)) && !(escapable && this.isTrapped(c));
    return this.findLoops(belongs, components(subgraph(graph, belongs)));
  }

  /** Cycles of configurations that `belong`, one for each set of states. */
  findLoops(belongs: (configuration: number) => boolean, parts = this.parts()): readonly Loop[] {
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

  findTrapped(): readonly Trap[] {
    // Without a cycle every run ends.
    if (!this.parts().hasCycle) return [];
    return findRegions(this.exploration, this.isTrapped).map(({ states, configurations }) => {
      const trapped = this.nearestFirst(configurations, at(states, 0));
      const closedBy = () => {
        // Guards that only redirect are not all that shuts runs in where a spent one is entered or refused.
        if (!isRfcReading(this.machine)) return [{ states, guards: undefined }];
        const open = states.flatMap((state) => this.byState()[state] ?? []).filter((c) => !this.isTrapped(c));
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

  findNeverCompletes({ entered, forcedExitCycles: cycles }: Facts): WitnessedStates | undefined {
    const { stateOf, runs } = this.exploration;
    // Every run ends, and does so by completing.
    if (runs.allEndings === COMPLETE && !this.parts().hasCycle) return undefined;
    const completes = this.canReach((c) => this.endsBy(c, COMPLETE));
    if (!completes.includes(0)) return undefined;
    // Traps and forced exit cycles are worse, and have their own rules.
    const worse = this.canReach((c) => this.isTrapped(c) || this.endsBy(c, STUCK));
    const excluded = new Set(this.statesOf((c) => completes[c] === 1 || worse[c] === 1));
    for (const { states } of cycles) for (const state of states) excluded.add(state);
    const states = inFileOrder(entered).filter((state) => !excluded.has(state));
    if (states.length === 0) return undefined;
    const first = this.witnesses.nearest((c) => !excluded.has(stateOf(c)));
    return { states, witness: this.witnesses.runTo(first) };
  }

  findForcedExitCycles(): readonly ForcedExitCycle[] {
    const { stateOf, runs } = this.exploration;
    return forcedExitCycles(this.machine).map((cycle) => {
      const stuck = runs.stuckAt.get(at(cycle.states, 0));
      if (stuck === undefined) return cycle;
      const state = stateOf(stuck.configuration);
      const edge = this.machine.states[state]?.edges[stuck.event];
      return { ...cycle, witness: this.witnesses.runTo(stuck.configuration), stuckBy: { state, edge } };
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
  private readonly counts = new Map<number, number>();
  private edgesVisited = 0;
  private boundedWork = 0;

  constructor(
    private readonly exploration: Exploration,
    private readonly parts: Components,
    private readonly configurationsOf: readonly (readonly number[])[],
  ) {}

  /** Infinite if there is an unbounded loop. */
  readonly ofAll = lazy(() => this.heaviestRun(filled(this.parts.order.length, 1)));

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
      const entriesFrom = (start: number): number => ahead[(of[start] ?? 0) * width + column] ?? 0;
      const most = this.exploration.starts.reduce((before, start) => Math.max(before, entriesFrom(start)), 0);
      this.counts.set(state, most);
    });
    return this.counts.get(first);
  }

  private heaviestRun(weights: readonly number[]): number {
    const { of, order, cyclic, count } = this.parts;
    const heaviestAhead = filled(count, 0);
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
