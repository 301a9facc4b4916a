import type { Trace } from "../diagnostic.js";
import type { Declaration } from "../pack/artifact-use.js";
import { isHandover, type State, type Workflow } from "../pack/workflow.js";
import { at } from "../graph/digraph.js";
import { breadthFirstSearch } from "../graph/paths.js";
import { cached, getOrCreate, lazy } from "../text/collections.js";
import type { RunGraph } from "./explore.js";
import type { Facts } from "./facts.js";
import { buildStructure, eventRunGraph } from "./structure.js";
import { type Way, waysIn } from "./ways-in.js";
import { Witnesses } from "./witnesses.js";

/** Whether a value is there when a run enters a state: in every run, in some or in none. */
export type Arrival = "always" | "sometimes" | "never";

interface RunsWithout {
  readonly distances: ReadonlyMap<number, number>;
  runTo(state: number): Trace | undefined;
}

/** Bounds the searches for all artifacts together. */
const maxEdgesSearched = 20_000_000;
/** Bounds the steps of all runs that are shown. */
const maxTraceSteps = 100_000;

/** Which artifacts runs have set, assuming that each state writes those it declares before it is left. */
export class SetValues {
  private readonly runs: RunGraph;
  private readonly starts: readonly number[];
  private readonly searches = new Map<string, RunsWithout>();
  private readonly opening = lazy(() => this.ways(false));
  private readonly handing = lazy(() => this.ways(true));
  private edgesLeft = maxEdgesSearched;
  private stepsLeft = maxTraceSteps;

  constructor(
    private readonly workflow: Workflow,
    private readonly facts: Facts,
  ) {
    // Where there are too many runs, those along events that enter no state twice.
    const { machine, exploration } = facts;
    this.runs = exploration ?? eventRunGraph(buildStructure(machine));
    this.starts = exploration?.starts ?? machine.roots;
  }

  /** Whether an artifact is set when a state is entered. */
  artifact(declarations: readonly Declaration[], { index }: State): Arrival | undefined {
    const without = this.runsWithout(declarations);
    if (without === undefined) return undefined;
    const after = this.facts.statesAfter(declarations.map(({ state }) => state.index));
    const canBeSet = after?.has(index) === true;
    if (without.distances.has(index)) return canBeSet ? "sometimes" : "never";
    return this.facts.exact && canBeSet ? "always" : undefined;
  }

  /** The shortest run that enters one of these states before the artifact is set. */
  runWithout(declarations: readonly Declaration[], states: readonly State[]): Way | undefined {
    const without = this.runsWithout(declarations);
    let nearest: State | undefined;
    let steps = Infinity;
    for (const state of without === undefined ? [] : states) {
      const distance = without?.distances.get(state.index) ?? Infinity;
      if (distance < steps) [nearest, steps] = [state, distance];
    }
    if (without === undefined || nearest === undefined) return undefined;
    const { index, name } = nearest;
    return {
      steps,
      run: () => {
        if ((this.stepsLeft -= steps) < 0) return undefined;
        const run = without.runTo(index);
        return run && withRoot(run, name.text);
      },
    };
  }

  /** By state, the shortest run that enters it before it has left a state that declares the artifact. */
  private readonly runsWithout = cached((declarations: readonly Declaration[]): RunsWithout | undefined => {
    const { graph, stateOf, eventOf } = this.runs;
    const sets = new Set(declarations.map(({ state }) => state.index));
    const key = [...sets].join();
    if (!this.searches.has(key) && (this.edgesLeft -= graph.size + graph.targets.length) < 0)
      return undefined;
    return getOrCreate(this.searches, key, () => {
      const reached = breadthFirstSearch(graph, this.starts, (node) => !sets.has(stateOf(node)));
      const witnesses = new Witnesses(this.facts.machine, { graph, stateOf, eventOf, reached });
      const nearest = new Map<number, number>();
      for (const node of reached.order) getOrCreate(nearest, stateOf(node), () => node);
      return {
        distances: new Map(Array.from(nearest, ([state, node]) => [state, at(reached.distance, node)])),
        runTo: (state) => witnesses.runTo(nearest.get(state)),
      };
    });
  });

  /** The shortest run that opens a conversation in a state: it starts there, or comes there between two turns. */
  runThatOpens(state: State): Way | undefined {
    const start = { steps: 0, run: () => ({ root: state.name.text, steps: [] }) };
    return this.workflow.roots.includes(state) ? start : this.opening()?.get(state.index);
  }

  /** The shortest run that hands a turn over to a state. */
  runThatHandsOver(state: State): Way | undefined {
    return this.handing()?.get(state.index);
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
