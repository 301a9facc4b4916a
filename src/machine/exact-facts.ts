import type { Trace } from "../diagnostic.js";
import { components, isOnCycle } from "../graph/components.js";
import { at, subgraph, successors } from "../graph/digraph.js";
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
import { WorstCases } from "./worst-case.js";

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
    private readonly exploration: Exploration,
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
