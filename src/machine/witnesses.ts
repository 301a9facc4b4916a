import type { Trace, TraceStep } from "../diagnostic.js";
import { at, type Components, isOnCycle } from "../graph/digraph.js";
import {
  type BreadthFirstTree,
  type Path,
  pathFromSteps,
  pathTo,
  shortestCycle,
  shortestPath,
  shortestPathVisitingTwice,
} from "../graph/paths.js";
import { withLazy } from "../text/collections.js";
import type { Facts } from "./facts.js";
import { DANGLING, type Machine } from "./machine.js";
import { isSpent, RunState, stepsOf } from "./run.js";
import type { RunGraph } from "./explore.js";

/** Bounds the search for the shortest loop; after that, the best one found is used. */
const maxEdgesSearched = 2_000_000;
/** Bounds the steps of all traces together: many loops at the end of a long chain would be quadratic. */
const maxTraceSteps = 200_000;
/** From a trap to a loop in it, which may start only after a guard was spent in thousands of steps. */
const maxStepsBeforeLap = 20;

/** Finds the shortest runs that show a fault, and traces them. */
export class Witnesses {
  private stepsLeft = maxTraceSteps;
  private searchLeft = maxEdgesSearched;

  constructor(
    private readonly machine: Machine,
    private readonly runs: RunGraph,
  ) {}

  get reached(): BreadthFirstTree {
    return this.runs.reached;
  }

  nearest(test: (node: number) => boolean): number | undefined {
    return this.reached.order.find(test);
  }

  nearestFirst(nodes: readonly number[]): readonly number[] {
    const { distance } = this.reached;
    return [...nodes].sort((a, b) => at(distance, a) - at(distance, b) || a - b);
  }

  entriesTo(node: number): number {
    return at(this.reached.distance, node) + 1;
  }

  /** The run is traced only if it is shown. */
  completeRun(node: number | undefined): Facts["shortestComplete"] {
    if (node === undefined) return undefined;
    return withLazy({ entries: this.entriesTo(node) }, { witness: () => this.runTo(node) });
  }

  /** The shortest run into a loop and once around it, within a component. */
  lasso(nodes: readonly number[], inSameComponent: (a: number, b: number) => boolean): Trace | undefined {
    let best: { node: number; loop: readonly number[]; length: number } | undefined;
    for (const node of this.nearestFirst(nodes)) {
      const stem = at(this.reached.distance, node);
      const limit = best === undefined ? Infinity : best.length - stem;
      if (limit <= 1 || (best !== undefined && this.searchLeft < 0)) break;
      const found = shortestCycle(this.runs.graph, node, (next) => inSameComponent(node, next), limit);
      this.searchLeft -= found.edgesVisited;
      if (found.edges === undefined) continue;
      best = { node, loop: found.edges, length: stem + found.edges.length };
    }
    if (best === undefined) return undefined;
    const trace = this.runTo(best.node, best.loop);
    return trace && { ...trace, loopFrom: at(this.reached.distance, best.node) };
  }

  /** The shortest run to a node, from there into a nearby loop, and once around it. */
  runIntoLoop(node: number, parts: Components): Trace | undefined {
    const { graph } = this.runs;
    const inLoop = (other: number): boolean => isOnCycle(parts, other);
    const path = inLoop(node) ? [] : shortestPath(graph, node, inLoop, maxStepsBeforeLap).edges;
    if (path === undefined) return undefined;
    const last = path.at(-1);
    const start = last === undefined ? node : at(graph.targets, last);
    const inSameComponent = (other: number): boolean => at(parts.of, other) === at(parts.of, start);
    const { edges: lap = [] } = shortestCycle(graph, start, inSameComponent);
    const trace = this.runTo(node, [...path, ...lap]);
    return trace && { ...trace, loopFrom: at(this.reached.distance, node) + path.length };
  }

  /** The shortest run that visits one of these groups of nodes twice. Each group lists the nearest node first. */
  runEnteringTwice(
    groups: Iterable<readonly number[]>,
    canEnter?: (node: number) => boolean,
  ): Trace | undefined {
    let best: Path | undefined;
    for (const group of groups) {
      if (this.searchLeft < 0) break;
      const limit = best?.edges.length ?? this.stepsLeft + 1;
      const found = shortestPathVisitingTwice(this.runs.graph, this.reached, group, limit, canEnter);
      this.searchLeft -= found.edgesVisited;
      best = found.path ?? best;
    }
    return best && this.trace(best);
  }

  /** The shortest run to a node, and onward; undefined once the steps are used up. */
  runTo(node: number | undefined, onward: readonly number[] = []): Trace | undefined {
    // Checked before listing the path, which may be long.
    if (node === undefined || at(this.reached.distance, node) + onward.length > this.stepsLeft)
      return undefined;
    const { start, edges } = pathTo(this.reached, node);
    return this.trace({ start, edges: [...edges, ...onward] });
  }

  private trace({ start, edges }: Path): Trace | undefined {
    if (edges.length > this.stepsLeft) return undefined;
    this.stepsLeft -= edges.length;
    const events = edges.map((edge) => at(this.runs.eventOf, edge));
    return { steps: stepsOf(this.machine, this.runs.stateOf(start), events) };
  }
}

/** An event, and the spent guards that redirect it. */
export interface LapStep {
  readonly from: number;
  readonly event: number;
  readonly forced: readonly number[];
  readonly to: number;
}

/** For one run. */
export const maxGuidedSteps = 500;
/** For all runs together. */
const maxEdgesVisited = 1_000_000;

/**
 * A heuristic for when there are too many runs to explore: take the shortest path to an unspent guard of a lap until all
 * are spent, then go around. A run that it finds is real; finding none proves nothing.
 */
export class GuidedRuns {
  private edgesVisited = 0;

  constructor(private readonly machine: Machine) {}

  /** A run into a lap of unguarded states and once around it. Nothing is counted there, so it can repeat forever. */
  runAround(lap: readonly LapStep[]): Trace | undefined {
    const guards = new Set(lap.flatMap(({ forced }) => forced));
    const first = new Set(lap.slice(0, 1).map(({ from }) => from));
    return this.tryEachRoot((run, steps) => {
      if (!this.spendGuardsAndReach(first, guards, run, steps)) return undefined;
      for (const { event, to } of lap) {
        const step = run.advance(event);
        if (step.to === null || run.current.index !== to) return undefined;
        steps.push(step);
      }
      return { steps, loopFrom: steps.length - lap.length };
    });
  }

  /** A run to one of the states after the guards are spent. */
  runInto(states: ReadonlySet<number>, guards: ReadonlySet<number>): Trace | undefined {
    return this.tryEachRoot((run, steps) =>
      this.spendGuardsAndReach(states, guards, run, steps) ? { steps } : undefined,
    );
  }

  private tryEachRoot(go: (run: RunState, steps: TraceStep[]) => Trace | undefined): Trace | undefined {
    for (const root of this.machine.roots) {
      if (++this.edgesVisited > maxEdgesVisited) return undefined;
      const trace = go(new RunState(this.machine).enter(root), []);
      if (trace !== undefined) return trace;
    }
    return undefined;
  }

  /** Spends the guards, then takes the run to one of the states; false if it finds no path, or only a long one. */
  private spendGuardsAndReach(
    states: ReadonlySet<number>,
    guards: ReadonlySet<number>,
    run: RunState,
    steps: TraceStep[],
  ): boolean {
    if ((this.edgesVisited += guards.size) > maxEdgesVisited) return false;
    const unspent = new Set(guards);
    for (;;) {
      if (isSpent(run.current, run.visits)) unspent.delete(run.current.index);
      if (unspent.size === 0 && states.has(run.current.index)) return true;
      const path = this.findPathTo(unspent.size === 0 ? states : unspent, run);
      if (path === undefined || steps.length + path.length > maxGuidedSteps) return false;
      for (const event of path) {
        const step = run.advance(event);
        if (step.to === null) return false;
        steps.push(step);
      }
    }
  }

  /** The events of the shortest path to a goal, with the guards that are spent now. */
  private findPathTo(goals: ReadonlySet<number>, run: RunState): readonly number[] | undefined {
    const parents = new Map<number, { readonly from: number; readonly edge: number }>();
    const start = run.current.index;
    const queue = [start];
    for (const from of queue) {
      const edges = this.machine.states[from]?.edges ?? [];
      for (let event = 0; event < edges.length; event++) {
        const outcome = run.attempt(edges[event]?.target ?? DANGLING);
        if ((this.edgesVisited += 1 + outcome.forced.length) > maxEdgesVisited) return undefined;
        if (outcome.kind !== "entered" || parents.has(outcome.state)) continue;
        if (goals.has(outcome.state)) {
          const path = pathFromSteps(from, (state) => (state === start ? undefined : parents.get(state)));
          return [...path.edges, event];
        }
        parents.set(outcome.state, { from, edge: event });
        queue.push(outcome.state);
      }
    }
    return undefined;
  }
}
