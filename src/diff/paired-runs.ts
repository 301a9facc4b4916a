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
import type { ChangeLevel, Sides } from "./change.js";

/** How the runs of two workflows that are sent the same events can differ. */
export type DifferenceKind = "refused" | "added" | "leadsElsewhere" | "endsDifferently";

/** The result of an event on one side. */
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

/** A difference, and the shortest sequence of events that shows it. */
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
  const found = new Map<string, FoundDifference>();
  const record = (difference: Omit<FoundDifference, "level">): void => {
    const level = levelOf(difference);
    getOrCreate(found, `${difference.kind} ${level}`, () => ({ ...difference, level }));
  };
  const paired = new PairedRuns(new Side(machines.old), new Side(machines.new), roots, work, record);
  const runs = exploreSystem(paired, work);
  const differences = [...found.values()].flatMap((difference) => withEvents(difference, runs, paired));
  return { differences, isComplete: runs.isComplete };
}

/** A difference that an event makes after the run to a node, or the start of a pair of roots. */
interface FoundDifference extends UnplacedDifference {
  readonly level: ChangeLevel;
  readonly at: RootPair | { readonly node: number; readonly event: string };
}

function withEvents(
  { at: place, ...difference }: FoundDifference,
  runs: SystemRuns,
  paired: PairedRuns,
): readonly RunDifference[] {
  if (!("node" in place)) return [{ ...difference, start: place, events: [] }];
  const path = pathTo(runs.reached, place.node);
  const events = path.edges.map((edge) => paired.eventNames[at(runs.eventOf, edge)] ?? "");
  const start = paired.rootsByNode.get(path.start);
  return start === undefined ? [] : [{ ...difference, start, events: [...events, place.event] }];
}

/** One of the two machines, in a configuration. */
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

/** The product of two machines: both are sent the same events until either run has ended. */
class PairedRuns implements System {
  readonly starts: readonly number[];
  readonly eventNames: string[] = [];
  private readonly eventNumbers = new Map<string, number>();
  private readonly numbers = new Map<number, number>();
  private readonly pairs: Sides<number>[] = [];
  readonly rootsByNode = new Map<number, RootPair>();

  constructor(
    private readonly old: Side,
    private readonly now: Side,
    roots: readonly RootPair[],
    private readonly work: Work,
    private readonly record: (difference: Omit<FoundDifference, "level">) => void,
  ) {
    this.starts = roots.flatMap((root) => {
      if (!work.spend(old.width + now.width)) return [];
      const ids = [old.table.enter(root.old), now.table.enter(root.new)] as const;
      if (!this.compare(old.arrivalAt(root.old), now.arrivalAt(root.new), undefined, root)) return [];
      const node = this.numberOf(...ids);
      getOrCreate(this.rootsByNode, node, () => root);
      return [node];
    });
  }

  get size(): number {
    return this.pairs.length;
  }

  readonly stateOf = (node: number): number => this.old.table.stateOf(this.pairs[node]?.old ?? 0);

  expand(node: number, take: (event: number, target: number) => void): void {
    const { old, now } = this;
    const pair = this.pairs[node];
    if (pair === undefined) return;
    const from = { old: old.select(pair.old), new: now.select(pair.new) };
    const events = new Set([...from.old.edges, ...from.new.edges].map(({ event }) => event));
    for (const event of events) {
      const [before, after] = [old.send(from.old, event), now.send(from.new, event)];
      const passed = (before?.forced.length ?? 0) + (after?.forced.length ?? 0);
      if (!this.work.spend(pairWords + old.width + now.width + passed)) return;
      if (!this.compare(before, after, from, { node, event }) || before === undefined || after === undefined)
        continue;
      const target = this.numberOf(old.table.enter(before.state.index), now.table.enter(after.state.index));
      take(this.eventNumber(event), target);
    }
  }

  /** Records how the sides differ, and returns whether both go on. */
  private compare(
    before: Arrival | undefined,
    after: Arrival | undefined,
    from: RunDifference["from"],
    place: FoundDifference["at"],
  ): boolean {
    const record = (kind: DifferenceKind): void =>
      this.record({ kind, from, old: before, new: after, at: place });
    if (before === undefined && after === undefined) return false;
    if (before === undefined || after === undefined) {
      record(before === undefined ? "added" : "refused");
      return false;
    }
    if (before.end !== after.end) record("endsDifferently");
    const bothEnter = isInState(before) && isInState(after);
    if (bothEnter && before.state.name !== after.state.name) record("leadsElsewhere");
    return before.end === undefined && after.end === undefined;
  }

  private numberOf(old: number, now: number): number {
    const key = old * maxConfigurations + now;
    return getOrCreate(this.numbers, key, () => this.pairs.push({ old, new: now }) - 1);
  }

  private eventNumber(name: string): number {
    return getOrCreate(this.eventNumbers, name, () => this.eventNames.push(name) - 1);
  }
}

function isInState({ end }: Arrival): boolean {
  return end === undefined || end === "complete";
}
