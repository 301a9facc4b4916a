import type { Trace } from "../../diagnostic.js";
import { components } from "../../graph/components.js";
import { at } from "../../graph/digraph.js";
import { canReach } from "../../graph/reachability.js";
import { closuresOf } from "./closing-guards.js";
import { exactLoops } from "./exact-loops.js";
import { COMPLETE, configurationsByState, type Exploration, LOST, STOPPED, STUCK } from "./explore.js";
import type { ChainEnd, Closure, Facts, ForcedExitCycle, Loop, Trap, Witnessed } from "../facts.js";
import { forcedExitCycles, forcedExitEnds } from "../forced-exits.js";
import { inFileOrder, type Machine } from "../machine.js";
import { once } from "../../maps/once.js";
import { pitsOf } from "./pits.js";
import { regions } from "./regions.js";
import { StatesAfter } from "../states-after.js";
import { StatesAhead } from "./states-ahead.js";
import { Witnesses } from "../witness.js";
import { WorstCases } from "./worst-case.js";

/** Each fact is a plain question on the finite graph of configurations, answered when it is first asked. */
export class ExactFacts implements Facts {
  readonly exact = true;
  private readonly answers: { -readonly [Name in keyof Facts]?: Facts[Name] } = {};
  private readonly witnesses: Witnesses;
  private readonly after: StatesAfter;
  private readonly parts = once(() => components(this.exploration.graph));
  private readonly byState = once(() => configurationsByState(this.machine.states.length, this.exploration));
  private readonly ahead = once(
    () => new StatesAhead(this.machine.states.length, this.exploration, this.parts()),
  );
  private readonly worstCases = once(() => new WorstCases(this.exploration, this.parts(), this.byState()));
  /** Marks the configurations from which some run ends in any way. */
  private readonly ends = once(() => this.canReach((c) => this.endsBy(c, COMPLETE | STOPPED | STUCK | LOST)));
  private readonly shortest = once(() => this.findShortestComplete());
  private readonly incomplete = once(() => this.findNeverCompletes());

  constructor(
    readonly machine: Machine,
    private readonly exploration: Exploration,
  ) {
    this.witnesses = new Witnesses(machine, exploration);
    this.after = new StatesAfter(machine.states.length, exploration.graph, (from) =>
      this.ahead().after(new Set(from)),
    );
  }

  get entered(): ReadonlySet<number> {
    return (this.answers.entered ??= this.statesOf(() => true));
  }

  get certainlyEntered(): ReadonlySet<number> {
    return this.entered;
  }

  get reentered(): ReadonlySet<number> {
    return (this.answers.reentered ??= this.ahead().reentered());
  }

  get metSpent(): ReadonlySet<number> {
    return (this.answers.metSpent ??= new Set(
      this.exploration.metSpent.flatMap((met, state) => (met === 1 ? state : [])),
    ));
  }

  reentry(states: Iterable<number>): Trace | undefined {
    const groups = [...states].flatMap((state) => [this.byState()[state] ?? []]);
    return this.witnesses.twice(groups);
  }

  get unboundedLoops(): readonly Loop[] {
    return (this.answers.unboundedLoops ??= this.findLoops(() => true));
  }

  get openLoops(): readonly Loop[] {
    return (this.answers.openLoops ??=
      this.trapped.length === 0 ? this.unboundedLoops : this.findLoops((c) => !this.isTrapped(c)));
  }

  get trapped(): readonly Trap[] {
    return (this.answers.trapped ??= this.findTrapped());
  }

  get neverCompletes(): Witnessed | undefined {
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

  worstCaseWeighing(weightOf: (state: number) => number, entries: number): number | undefined {
    return this.worstCases().weighing(weightOf, entries);
  }

  statesAfter(states: readonly number[]): ReadonlySet<number> | undefined {
    return this.after.of(states);
  }

  private readonly isTrapped = (c: number): boolean => this.ends()[c] === 0;

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
    return regions(this.exploration, this.isTrapped, () => true).map(({ states, configurations }) => {
      const caught = this.nearestFirst(configurations, at(states, 0));
      const closedBy = (): readonly Closure[] => {
        const all = states.flatMap((state) => this.byState()[state] ?? []);
        const open = all.filter((c) => !this.isTrapped(c));
        return closuresOf(this.machine, this.exploration, caught, open);
      };
      const witness = this.witnesses.runIntoLoop(at(caught, 0), this.parts()) ?? this.runTo(caught[0]);
      const pits = () => pitsOf(this.exploration, this.parts(), configurations);
      return { states, witness, closedBy, pits };
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

  private findNeverCompletes(): Witnessed | undefined {
    const { stateOf, everyEnding } = this.exploration;
    // Without a cycle every run ends, and here each end is a complete one.
    if (everyEnding === COMPLETE && !this.parts().hasCycle) return undefined;
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
