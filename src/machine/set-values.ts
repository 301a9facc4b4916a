import type { Trace } from "../diagnostic.js";
import { isHandover, type State, type Workflow } from "../pack/workflow.js";
import { breadthFirstSearch } from "../graph/paths.js";
import { getOrCreate, lazy } from "../text/collections.js";
import type { RunGraph } from "./explore.js";
import type { Facts } from "./facts.js";
import { buildStructure, eventRunGraph } from "./structure.js";
import { waysIn } from "./ways-in.js";
import { Witnesses } from "./witnesses.js";

/** Whether a value is there when a run enters a state: in every run, in some or in none. */
export type Arrival = "always" | "sometimes" | "never";

export interface SetValue {
  /** Undefined if there are too many runs to tell. */
  readonly set: Arrival | undefined;
  /** The shortest run that enters the state without the value. */
  readonly run: Trace | undefined;
}

interface RunsWithout {
  enters(state: number): boolean;
  runTo(state: number): Trace | undefined;
}

/** Bounds the searches for all artifacts together. */
const maxEdgesSearched = 20_000_000;

/** Which artifacts runs have set, assuming that each state writes those it declares before it is left. */
export class SetValues {
  private readonly runs: RunGraph;
  private readonly starts: readonly number[];
  private readonly searches = new Map<string, RunsWithout>();
  private readonly opening = lazy(() => this.ways(false));
  private readonly handing = lazy(() => this.ways(true));
  private edgesLeft = maxEdgesSearched;

  constructor(
    private readonly workflow: Workflow,
    private readonly facts: Facts,
  ) {
    // Where there are too many runs, those along events that enter no state twice.
    const { machine, exploration } = facts;
    this.runs = exploration ?? eventRunGraph(buildStructure(machine));
    this.starts = exploration?.starts ?? machine.roots;
  }

  /** Whether an artifact is set when a state is entered. `declaring`: all states that declare it. */
  artifact(declaring: readonly State[], { index, name }: State): SetValue {
    const without = this.runsWithout(declaring);
    if (without === undefined) return { set: undefined, run: undefined };
    const run = without.runTo(index);
    const after = this.facts.statesAfter(declaring.map((state) => state.index));
    const canBeSet = after?.has(index) === true;
    if (without.enters(index))
      return { set: canBeSet ? "sometimes" : "never", run: run && withRoot(run, name.text) };
    return { set: this.facts.exact && canBeSet ? "always" : undefined, run: undefined };
  }

  /** By state, the shortest run that enters it before it has left a state that declares the artifact. */
  private runsWithout(declaring: readonly State[]): RunsWithout | undefined {
    const { graph, stateOf, eventOf } = this.runs;
    const key = declaring.map(({ index }) => index).join();
    if (!this.searches.has(key) && (this.edgesLeft -= graph.size + graph.targets.length) < 0)
      return undefined;
    return getOrCreate(this.searches, key, () => {
      const sets = new Set(declaring.map(({ index }) => index));
      const reached = breadthFirstSearch(graph, this.starts, (node) => !sets.has(stateOf(node)));
      const witnesses = new Witnesses(this.facts.machine, { graph, stateOf, eventOf, reached });
      const nearest = new Map<number, number>();
      for (const node of reached.order) getOrCreate(nearest, stateOf(node), () => node);
      return {
        enters: (state) => nearest.has(state),
        runTo: (state) => witnesses.runTo(nearest.get(state)),
      };
    });
  }

  /** The shortest run that opens a conversation in a state: it starts there, or comes there between two turns. */
  runThatOpens(state: State): Trace | undefined {
    if (this.workflow.roots.includes(state)) return { root: state.name.text, steps: [] };
    return this.opening()?.get(state.index)?.();
  }

  /** The shortest run that hands a turn over to a state. */
  runThatHandsOver(state: State): Trace | undefined {
    return this.handing()?.get(state.index)?.();
  }

  private ways(areHandovers: boolean): ReturnType<typeof waysIn> {
    const { states } = this.workflow;
    return waysIn(this.facts, (from, to) => {
      const target = states[to];
      return target !== undefined && isHandover(states[from], target) === areHandovers;
    });
  }
}

/** Without a step, only the root tells where the run starts. */
function withRoot(run: Trace, root: string): Trace {
  return run.steps.length === 0 ? { root, ...run } : run;
}
