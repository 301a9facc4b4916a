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

export class Work {
  constructor(private left = maxWork) {}

  /** Whether there was as much left. */
  spend(words: number): boolean {
    return (this.left -= words) >= 0;
  }

  get isUsedUp(): boolean {
    return this.left < 0;
  }
}

/** Anything whose runs can be explored. Its nodes are numbered in order of first appearance. */
export interface System {
  readonly size: number;
  readonly starts: readonly number[];
  readonly stateOf: (node: number) => number;
  /** Takes every event of a node, as far as the work allows. */
  expand(node: number, take: (event: number, target: number) => void): void;
  /** Whether what is looked for was found. */
  readonly isDone?: () => boolean;
}

export interface SystemRuns extends RunGraph {
  readonly isComplete: boolean;
  /** The nodes below this number were. */
  readonly expanded: number;
}

/** Explores every run, breadth first, until the work is used up. */
export function exploreSystem(system: System, work: Work): SystemRuns {
  const { starts, stateOf } = system;
  const offsets = [0];
  const targets: number[] = [];
  const eventOf: number[] = [];
  const reached = new ShortestPathTree(system.size);
  let node = 0;
  const take = (event: number, target: number): void => {
    reached.record(target, node, targets.length);
    targets.push(target);
    eventOf.push(event);
  };
  for (; node < system.size && !work.isUsedUp && system.isDone?.() !== true; node++) {
    reached.order.push(node);
    system.expand(node, take);
    offsets.push(targets.length);
  }
  const expanded = work.isUsedUp ? Math.max(0, node - 1) : node;
  for (; node < system.size; node++) {
    reached.order.push(node);
    offsets.push(targets.length);
  }
  const graph = { size: system.size, offsets, targets };
  return {
    graph,
    starts,
    stateOf,
    eventOf,
    reached,
    isComplete: expanded === system.size && !work.isUsedUp,
    expanded,
  };
}

/** Watches runs: its tags tell apart runs that are in the same configuration, but have done different things. */
export interface Monitor {
  /** Tags are numbers below this one. */
  readonly tags: number;
  /** The tag of a run that has started. */
  start(root: number): number;
  /** The tag after a run with this tag has sent an event of this state; LEFT_OUT if it need not be followed. */
  next(tag: number, from: number, event: number, outcome: Outcome): number;
  readonly isDone?: () => boolean;
}

export const LEFT_OUT = -1;

/** The configurations of a machine. With a monitor, the ends of runs without a state are numbered above the states. */
export class MachineRuns implements System {
  readonly starts: readonly number[];
  readonly endings: number[] = [];
  allEndings = 0;
  readonly spent: SpentAttempts;
  readonly isDone: () => boolean;
  private readonly width: number;

  constructor(
    private readonly machine: Machine,
    private readonly work: Work,
    private readonly monitor?: Monitor,
    readonly table = createConfigurationTable(machine, monitor?.tags),
  ) {
    this.width = 1 + machine.states.filter((state) => state.maxVisits !== undefined).length;
    this.starts = work.spend(machine.roots.length * this.width) ? machine.roots.flatMap(this.start) : [];
    this.spent = new SpentAttempts(machine.states.length);
    this.isDone = () => monitor?.isDone?.() === true;
  }

  get size(): number {
    return this.table.size;
  }

  private readonly start = (root: number): readonly number[] => {
    const tag = this.monitor?.start(root) ?? 0;
    return tag === LEFT_OUT ? [] : [this.table.enter(root, tag)];
  };

  readonly stateOf = (id: number): number => this.table.stateOf(id);
  readonly visits = (state: number): number => this.table.visits(state);

  expand(id: number, take: (event: number, target: number) => void): void {
    const { machine, table, visits, monitor, work, width } = this;
    const { states } = machine;
    table.select(id);
    const state = states[table.stateOf(id)];
    if (state === undefined) return;
    let ending = state.ends ? COMPLETE : 0;
    for (let event = 0; event < state.edges.length; event++) {
      let entered = state.edges[event]?.target ?? DANGLING;
      let outcome: Outcome | undefined;
      const attempted = states[entered];
      if (attempted === undefined || isSpent(attempted, visits)) {
        outcome = attempt(machine, entered, visits);
        this.spent.record(outcome, id, event);
        work.spend(outcome.forced.length);
        entered = outcome.kind === "entered" ? outcome.state : DANGLING;
        if (outcome.kind !== "entered") ending |= endingOf[outcome.kind];
      }
      if (!work.spend(width)) return;
      if (monitor !== undefined) {
        outcome ??= { kind: "entered", state: entered, forced: [] };
        const tag =
          outcome.kind === "dangling" ? LEFT_OUT : monitor.next(table.tagOf(id), state.index, event, outcome);
        if (tag !== LEFT_OUT) take(event, table.enter(stateAfter(outcome, states.length), tag));
      } else if (entered !== DANGLING) take(event, table.enter(entered));
    }
    work.spend(width);
    this.endings.push(ending);
    this.allEndings |= ending;
  }
}

/** The state that a run is in, or the number of its end: see `endOf`. */
function stateAfter(outcome: Outcome, states: number): number {
  if (outcome.kind === "entered") return outcome.state;
  return outcome.kind === "stuck" ? states + 1 : states;
}

/** How a run has ended that is in this state, by the numbers that a monitored exploration gives. */
export function endOf({ states }: Machine, state: number): "complete" | "stopped" | "stuck" | undefined {
  if (state === states.length) return "stopped";
  if (state === states.length + 1) return "stuck";
  return states[state]?.ends === true ? "complete" : undefined;
}

/** Explores every run; undefined if that takes too much work. */
export function explore(machine: Machine, table?: ConfigurationTable): Exploration | undefined {
  const work = new Work();
  const runs = new MachineRuns(machine, work, undefined, table);
  if (work.isUsedUp) return undefined;
  const explored = exploreSystem(runs, work);
  if (work.isUsedUp) return undefined;
  return {
    ...explored,
    endings: runs.endings,
    allEndings: runs.allEndings,
    attemptedWhileSpent: runs.spent.attemptedWhileSpent,
    stuckAt: runs.spent.stuckAt,
    stuckBy: runs.spent.stuckBy,
    spentIn: (id) => {
      runs.table.select(id);
      return (index) => {
        const state = machine.states[index];
        return state !== undefined && isSpent(state, runs.visits);
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
