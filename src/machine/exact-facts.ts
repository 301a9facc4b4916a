import type { Trace } from "../diagnostic.js";
import { components, type Components, isOnCycle } from "../graph/components.js";
import { at } from "../graph/digraph.js";
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

/** Each fact is a plain question on the finite graph of configurations, answered when it is first asked. */
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
  private readonly shortest = lazy(() => this.findShortestComplete());
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
      this.exploration.attemptedWhileSpent.flatMap((met, state) => (met === 1 ? state : [])),
    ));
  }

  findReentry(states: Iterable<number>): Trace | undefined {
    const groups = [...states].flatMap((state) => [this.byState()[state] ?? []]);
    return this.witnesses.runEnteringTwice(groups);
  }

  get unboundedLoops(): readonly Loop[] {
    return (this.answers.unboundedLoops ??= this.findLoops(() => true));
  }

  get escapableLoops(): readonly Loop[] {
    return (this.answers.escapableLoops ??=
      this.trapped.length === 0 ? this.unboundedLoops : this.findLoops((c) => !this.isTrapped(c)));
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

  private findLoops(belongs: (configuration: number) => boolean): readonly Loop[] {
    return exactLoops(this.machine, this.exploration, this.parts(), this.witnesses, belongs);
  }

  private findTrapped(): readonly Trap[] {
    // Without a cycle every run ends.
    if (!this.parts().hasCycle) return [];
    return findRegions(this.exploration, this.isTrapped, () => true).map(({ states, configurations }) => {
      const caught = this.nearestFirst(configurations, at(states, 0));
      const closedBy = (): readonly TrapClosure[] => {
        const all = states.flatMap((state) => this.byState()[state] ?? []);
        const open = all.filter((c) => !this.isTrapped(c));
        return findClosures(this.machine, this.exploration, caught, open);
      };
      const witness = this.witnesses.runIntoLoop(at(caught, 0), this.parts()) ?? this.runTo(caught[0]);
      const sinkLoops = () => findSinkLoops(this.exploration, this.parts(), configurations);
      return { states, witness, closedBy, sinkLoops };
    });
  }

  /** Of the nearest configurations, one of the state at which the fault is shown comes first. */
  private nearestFirst(configurations: readonly number[], shownAt: number): readonly number[] {
    const { witnesses } = this;
    const nearest = witnesses.nearestFirst(configurations);
    const entries = nearest[0] === undefined ? 0 : witnesses.entriesTo(nearest[0]);
    const isThere = (c: number): boolean => this.exploration.stateOf(c) === shownAt;
    const first = nearest.find((c) => isThere(c) && witnesses.entriesTo(c) === entries);
    return first === undefined ? nearest : [first, ...nearest];
  }

  private findNeverCompletes(): WitnessedStates | undefined {
    const { stateOf, allEndings } = this.exploration;
    // Without a cycle every run ends, and here each end is a complete one.
    if (allEndings === COMPLETE && !this.parts().hasCycle) return undefined;
    const completes = this.canReach((c) => this.endsBy(c, COMPLETE));
    if (!completes.includes(0)) return undefined;
    // A state that can be trapped or stuck has a worse fault, which has a rule of its own.
    const worse = this.canReach((c) => this.isTrapped(c) || this.endsBy(c, STUCK));
    const excluded = new Set(this.statesOf((c) => completes[c] === 1 || worse[c] === 1));
    for (const { states } of this.forcedExitCycles) for (const state of states) excluded.add(state);
    const states = inFileOrder(this.entered).filter((state) => !excluded.has(state));
    if (states.length === 0) return undefined;
    const first = this.witnesses.nearest((c) => !excluded.has(stateOf(c)));
    return { states, witness: this.runTo(first) };
  }

  private findForcedExitCycles(): readonly ForcedExitCycle[] {
    const { stateOf, stuckAt, stuckBy } = this.exploration;
    return forcedExitCycles(this.machine).map((cycle) => {
      const ring = at(cycle.states, 0);
      const stuck = at(stuckAt, ring);
      if (stuck === -1) return cycle;
      const state = stateOf(stuck);
      const edge = this.machine.states[state]?.edges[at(stuckBy, ring)];
      return { ...cycle, witness: this.runTo(stuck), stuckBy: { state, edge } };
    });
  }

  private findShortestComplete(): Facts["shortestComplete"] {
    const complete = this.witnesses.nearest((c) => this.endsBy(c, COMPLETE));
    return complete === undefined ? undefined : this.witnesses.completeRun(complete);
  }

  private runTo(configuration: number | undefined): Trace | undefined {
    return configuration === undefined ? undefined : this.witnesses.runTo(configuration);
  }
}

/**
 * The loops that never have to end: cycles of configurations that `belong`, one for each set of states that go round
 * together.
 */
function exactLoops(
  machine: Machine,
  exploration: Exploration,
  parts: Components,
  witnesses: Witnesses,
  belongs: (configuration: number) => boolean,
): readonly Loop[] {
  if (!parts.hasCycle) return [];
  const { graph, stateOf } = exploration;
  const together = (a: number, b: number): boolean => at(parts.of, a) === at(parts.of, b);
  const inLoop = (c: number): boolean => isOnCycle(parts, c) && belongs(c);
  const next = (c: number): readonly number[] =>
    graph.targets.slice(at(graph.offsets, c), at(graph.offsets, c + 1));
  const laps = lapAnalyzer(machine, next, stateOf);
  return findRegions(exploration, inLoop, together).map(({ states, configurations }) => {
    const witness = witnesses.lasso(configurations, together);
    return { states, witness, certain: true, ...laps(configurations) };
  });
}
