import type { Located } from "../diagnostic.js";
import { at } from "../graph/digraph.js";
import { pathTo } from "../graph/paths.js";
import {
  ConfigurationTable,
  endOf,
  exploreSystem,
  type System,
  type SystemRuns,
  Work,
} from "../machine/explore.js";
import { DANGLING, knownEventsOf, type Machine, type MachineState } from "../machine/machine.js";
import { attempt } from "../machine/run.js";
import { getOrCreate } from "../text/collections.js";
import { type ChangeLevel, mapSides, type Sides } from "./change.js";

export type DifferenceKind = "event-refused" | "event-added" | "leads-elsewhere" | "ends-differently";

export interface Arrival {
  /** The state it is in afterwards, or the last one if the event ended the run without entering one. */
  readonly state: MachineState;
  readonly end: "complete" | "stopped" | "stuck" | undefined;
  readonly forced: readonly number[];
}

/** A place where runs start on both sides: the entry, or the state of an agent. */
export interface RootPair extends Sides<number> {
  readonly agent: string | undefined;
  /** The names of the states; the new one may name none. */
  readonly at: Sides<Located>;
}

export interface UnplacedDifference extends Sides<Arrival | undefined> {
  readonly kind: DifferenceKind;
  /** The states in which the last event is sent; none if the start alone differs. */
  readonly from: Sides<MachineState> | undefined;
}

export interface RunDifference extends UnplacedDifference {
  readonly level: ChangeLevel;
  readonly start: RootPair;
  readonly events: readonly string[];
}

export interface ComparedRuns {
  readonly differences: readonly RunDifference[];
  readonly isComplete: boolean;
}

/** Compares all sequences of events; of differences of one kind and level, only the shortest is kept. */
export function compareRuns(
  machines: Sides<Machine>,
  roots: readonly RootPair[],
  levelOf: (difference: UnplacedDifference) => ChangeLevel,
): ComparedRuns {
  const work = new Work();
  const paired = new PairedRuns(machines, roots, work, levelOf);
  const runs = exploreSystem(paired, work);
  return { differences: paired.differences(runs), isComplete: runs.isComplete };
}

class Side {
  readonly table: ConfigurationTable;
  readonly width: number;
  private readonly visits = (state: number): number => this.table.visits(state);

  constructor(readonly machine: Machine) {
    this.table = new ConfigurationTable(machine);
    this.width = 1 + machine.states.filter(({ maxVisits }) => maxVisits !== undefined).length;
  }

  arrivalAt(state: number, forced: readonly number[] = []): Arrival {
    return { state: this.stateAt(state), end: endOf(this.machine, state), forced };
  }

  select(id: number): MachineState {
    this.table.select(id);
    return this.stateAt(this.table.stateOf(id));
  }

  /** Undefined if the event is not taken: it is missing, or its target is not a state. */
  send(from: MachineState, event: string): Arrival | undefined {
    const number = knownEventsOf(from).byName.get(event);
    const target = number === undefined ? DANGLING : (from.edges[number]?.target ?? DANGLING);
    const outcome = target === DANGLING ? undefined : attempt(this.machine, target, this.visits);
    if (outcome === undefined || outcome.kind === "dangling") return undefined;
    if (outcome.kind === "entered") return this.arrivalAt(outcome.state, outcome.forced);
    return { state: from, end: outcome.kind, forced: outcome.forced };
  }

  private stateAt(index: number): MachineState {
    const state = this.machine.states[index];
    if (state === undefined) throw new RangeError(`no state ${index}`);
    return state;
  }
}

/** The work for a pair, besides its configurations. */
const pairWords = 10;
/** Keys of pairs; the work allows fewer configurations. */
const maxConfigurations = 2 ** 24;

/** The start of a pair of roots, or an event after the run to a node. */
type Moment = RootPair | { readonly node: number; readonly event: string };

/** The product of two machines: both are sent the same events until either run has ended. */
class PairedRuns implements System {
  readonly starts: readonly number[];
  private readonly sides: Sides<Side>;
  private readonly found = new Map<string, Omit<RunDifference, "start" | "events"> & { moment: Moment }>();
  private readonly eventNames: string[] = [];
  private readonly eventNumbers = new Map<string, number>();
  private readonly numbers = new Map<number, number>();
  private readonly pairs: Sides<number>[] = [];
  private readonly rootsByNode = new Map<number, RootPair>();

  constructor(
    machines: Sides<Machine>,
    roots: readonly RootPair[],
    private readonly work: Work,
    private readonly levelOf: (difference: UnplacedDifference) => ChangeLevel,
  ) {
    const { old, new: now } = (this.sides = mapSides(machines, (machine) => new Side(machine)));
    this.starts = roots.flatMap((root) => {
      if (!work.spend(old.width + now.width)) return [];
      const node = this.follow(old.arrivalAt(root.old), now.arrivalAt(root.new), undefined, root);
      if (node === undefined) return [];
      getOrCreate(this.rootsByNode, node, () => root);
      return node;
    });
  }

  get size(): number {
    return this.pairs.length;
  }

  readonly stateOf = (node: number): number => this.sides.old.table.stateOf(this.pairs[node]?.old ?? 0);

  expand(node: number, take: (event: number, target: number) => void): void {
    const { old, new: now } = this.sides;
    const pair = this.pairs[node];
    if (pair === undefined) return;
    const from = { old: old.select(pair.old), new: now.select(pair.new) };
    const events = new Set([...from.old.edges, ...from.new.edges].map(({ event }) => event));
    for (const event of events) {
      const [before, after] = [old.send(from.old, event), now.send(from.new, event)];
      const passed = (before?.forced.length ?? 0) + (after?.forced.length ?? 0);
      if (!this.work.spend(pairWords + old.width + now.width + passed)) return;
      const target = this.follow(before, after, from, { node, event });
      if (target !== undefined) take(this.eventNumber(event), target);
    }
  }

  differences({ reached, eventOf }: SystemRuns): readonly RunDifference[] {
    return [...this.found.values()].flatMap(({ moment, ...difference }) => {
      if (!("node" in moment)) return { ...difference, start: moment, events: [] };
      const path = pathTo(reached, moment.node);
      const events = path.edges.map((edge) => this.eventNames[at(eventOf, edge)] ?? "");
      const start = this.rootsByNode.get(path.start);
      return start === undefined ? [] : { ...difference, start, events: [...events, moment.event] };
    });
  }

  /** Records how the sides differ; undefined unless both go on, in the node that is returned. */
  private follow(
    before: Arrival | undefined,
    after: Arrival | undefined,
    from: RunDifference["from"],
    moment: Moment,
  ): number | undefined {
    const record = (kind: DifferenceKind): void => {
      const difference = { kind, from, old: before, new: after };
      const level = this.levelOf(difference);
      getOrCreate(this.found, `${kind} ${level}`, () => ({ ...difference, level, moment }));
    };
    if (before === undefined || after === undefined) {
      if (before !== after) record(before === undefined ? "event-added" : "event-refused");
      return undefined;
    }
    if (before.end !== after.end) record("ends-differently");
    const bothEnter = isInState(before) && isInState(after);
    if (bothEnter && before.state.name !== after.state.name) record("leads-elsewhere");
    if (before.end !== undefined || after.end !== undefined) return undefined;
    const { old, new: now } = this.sides;
    const pair = { old: old.table.enter(before.state.index), new: now.table.enter(after.state.index) };
    const key = pair.old * maxConfigurations + pair.new;
    return getOrCreate(this.numbers, key, () => this.pairs.push(pair) - 1);
  }

  private eventNumber(name: string): number {
    return getOrCreate(this.eventNumbers, name, () => this.eventNames.push(name) - 1);
  }
}

function isInState({ end }: Arrival): boolean {
  return end === undefined || end === "complete";
}
