import { filled } from "../graph/digraph.js";
import { type ConfigurationTable, createConfigurationTable } from "./configurations.js";
import { DANGLING, type Machine } from "./machine.js";
import { attempt, isSpent, type Outcome } from "./run.js";
import type { RunGraph } from "./witnesses.js";

/** Ways a run can end in a configuration, or on the next event from it. */
export const COMPLETE = 1;
export const STOPPED = 2;
export const STUCK = 4;
export const LOST = 8;

const endingOf = { stopped: STOPPED, stuck: STUCK, dangling: LOST } as const;

/** The reachable configurations, breadth first from the roots, and the events between them. */
export interface Exploration extends RunGraph {
  /** For each configuration, the bits of the ways a run can end there. */
  readonly endings: readonly number[];
  /** Their union. */
  readonly allEndings: number;
  /** For each state, 1 if some run attempts it while it is spent. */
  readonly attemptedWhileSpent: readonly number[];
  /** For each state, the nearest configuration from which an event gets stuck at it, or -1. */
  readonly stuckAt: readonly number[];
  /** The event of that configuration. */
  readonly stuckBy: readonly number[];
  /** Tests which states are spent in a configuration. The result is valid until the next call. */
  readonly spentIn: (configuration: number) => (state: number) => boolean;
}

/** Bounds the number of words written into configurations. */
const maxWork = 3_000_000;

/** Explores every run; undefined if that takes too much work. */
export function explore(
  machine: Machine,
  table: ConfigurationTable = createConfigurationTable(machine),
): Exploration | undefined {
  const { states } = machine;
  const width = 1 + states.filter((state) => state.maxVisits !== undefined).length;
  if (machine.roots.length * width > maxWork) return undefined;
  const visits = (state: number): number => table.visits(state);
  const starts = machine.roots.map((root) => table.enter(root));
  const offsets = [0];
  const targets: number[] = [];
  const eventOf: number[] = [];
  const endings: number[] = [];
  const spent = new SpentAttempts(states.length);
  const reached = new ShortestPathTree(table.size);
  let work = 0;
  let allEndings = 0;

  for (let id = 0; id < table.size; id++) {
    table.select(id);
    reached.order.push(id);
    const state = states[table.stateOf(id)];
    if (state === undefined) break;
    let ending = state.ends ? COMPLETE : 0;
    for (let event = 0; event < state.edges.length; event++) {
      let entered = state.edges[event]?.target ?? DANGLING;
      const attempted = states[entered];
      if (attempted === undefined || isSpent(attempted, visits)) {
        const outcome = attempt(machine, entered, visits);
        spent.record(outcome, id, event);
        work += outcome.forced.length;
        entered = outcome.kind === "entered" ? outcome.state : DANGLING;
        if (outcome.kind !== "entered") ending |= endingOf[outcome.kind];
      }
      if ((work += width) > maxWork) return undefined;
      if (entered === DANGLING) continue;
      const target = table.enter(entered);
      reached.record(target, id, targets.length);
      targets.push(target);
      eventOf.push(event);
    }
    if ((work += width) > maxWork) return undefined;
    endings.push(ending);
    allEndings |= ending;
    offsets.push(targets.length);
  }
  const graph = { size: table.size, offsets, targets };
  return {
    graph,
    starts,
    stateOf: (id) => table.stateOf(id),
    eventOf,
    reached,
    endings,
    allEndings,
    attemptedWhileSpent: spent.attemptedWhileSpent,
    stuckAt: spent.stuckAt,
    stuckBy: spent.stuckBy,
    spentIn: (id) => {
      table.select(id);
      return (index) => {
        const state = states[index];
        return state !== undefined && isSpent(state, visits);
      };
    },
  };
}

/** How each configuration was first reached. Since they are numbered breadth first, that is a shortest path. */
class ShortestPathTree {
  readonly distance: number[];
  readonly parent: number[];
  readonly edge: number[];
  readonly order: number[] = [];

  constructor(starts: number) {
    this.distance = filled(starts, 0);
    this.parent = filled(starts, -1);
    this.edge = filled(starts, -1);
  }

  record(target: number, from: number, edge: number): void {
    if (target !== this.distance.length) return;
    this.distance.push((this.distance[from] ?? 0) + 1);
    this.parent.push(from);
    this.edge.push(edge);
  }
}

/** The attempts to enter spent states. */
class SpentAttempts {
  readonly attemptedWhileSpent: number[];
  readonly stuckAt: number[];
  readonly stuckBy: number[];

  constructor(states: number) {
    this.attemptedWhileSpent = filled(states, 0);
    this.stuckAt = filled(states, -1);
    this.stuckBy = filled(states, -1);
  }

  record({ kind, forced }: Outcome, from: number, event: number): void {
    for (const state of forced) {
      this.attemptedWhileSpent[state] = 1;
      if (kind !== "stuck" || this.stuckAt[state] !== -1) continue;
      this.stuckAt[state] = from;
      this.stuckBy[state] = event;
    }
  }
}

/** For each state, its configurations, the nearest first. */
export function configurationsByState(states: number, { graph, stateOf }: Exploration): number[][] {
  const byState: number[][] = Array.from({ length: states }, () => []);
  for (let c = 0; c < graph.size; c++) byState[stateOf(c)]?.push(c);
  return byState;
}
