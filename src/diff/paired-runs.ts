import { at } from "../graph/digraph.js";
import { pathTo } from "../graph/paths.js";
import { ConfigurationTable, endOf, exploreSystem, type System, type SystemRuns, Work } from "../machine/explore.js";
import { DANGLING, knownEventsOf, type Machine, type MachineState } from "../machine/machine.js";
import { attempt, type Outcome } from "../machine/run.js";
import { getOrCreate } from "../text/collections.js";

/** How the runs of two workflows that are sent the same events can differ. */
export type DifferenceKind = "refused" | "added" | "leadsElsewhere" | "endsDifferently";

/** The result of an event on one side. */
export interface Arrival {
  /** The state it is in afterwards, or the last one if the event ended the run without entering one. */
  readonly state: MachineState;
  readonly end: "complete" | "stopped" | "stuck" | undefined;
  readonly forced: readonly number[];
}

/** A difference, and the shortest sequence of events that shows it. */
export interface RunDifference {
  readonly kind: DifferenceKind;
  /** Numbers of the pair of roots. */
  readonly root: number;
  readonly events: readonly string[];
  /** The states in which the last event is sent; none if the start alone differs. */
  readonly from: { readonly old: MachineState; readonly new: MachineState } | undefined;
  readonly old: Arrival | undefined;
  readonly new: Arrival | undefined;
}

/** The roots of the two sides that belong together. */
export interface RootPair {
  readonly old: number;
  readonly new: number;
}

/** Compares all sequences of events; of differences that `classOf` calls the same, only the shortest is kept. */
export function compareRuns(
  machines: { readonly old: Machine; readonly new: Machine },
  roots: readonly RootPair[],
  classOf: (difference: Omit<RunDifference, "events" | "root">) => string,
) {
  const work = new Work();
  const found = new Map<string, FoundDifference>();
  const record = (difference: FoundDifference): void => {
    const key = `${difference.kind} ${classOf(difference)}`;
    if (!found.has(key)) found.set(key, difference);
  };
  const paired = new PairedRuns(new Side(machines.old), new Side(machines.new), roots, work, record);
  const runs = exploreSystem(paired, work);
  const differences = [...found.values()].map((difference) => withEvents(difference, runs, paired));
  return { differences, isComplete: runs.isComplete };
}

/** A difference that an event makes after the run to a node, or the start of a pair of roots. */
interface FoundDifference extends Omit<RunDifference, "events" | "root"> {
  readonly at: { readonly node: number; readonly event: string } | { readonly root: number };
}

function withEvents(
  { at: place, ...difference }: FoundDifference,
  runs: SystemRuns,
  paired: PairedRuns,
): RunDifference {
  if ("root" in place) return { ...difference, root: place.root, events: [] };
  const path = pathTo(runs.reached, place.node);
  const events = path.map((edge) => paired.eventNames[at(runs.eventOf, edge)] ?? "");
  let start = place.node;
  while (at(runs.reached.parent, start) !== -1) start = at(runs.reached.parent, start);
  return { ...difference, root: paired.rootOf(start), events: [...events, place.event] };
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

  start(root: number): { readonly id: number; readonly arrival: Arrival } {
    const state = this.stateAt(root);
    return { id: this.table.enter(root), arrival: { state, end: endOf(this.machine, root), forced: [] } };
  }

  select(id: number): MachineState {
    this.table.select(id);
    return this.stateAt(this.table.stateOf(id));
  }

  /** Undefined if the event is not taken: it is missing, or its target is not a state. */
  attempt(from: MachineState, event: string): Exclude<Outcome, { kind: "dangling" }> | undefined {
    const number = knownEventsOf(from).byName.get(event);
    const target = number === undefined ? DANGLING : (from.edges[number]?.target ?? DANGLING);
    if (target === DANGLING) return undefined;
    const outcome = attempt(this.machine, target, this.visits);
    return outcome.kind === "dangling" ? undefined : outcome;
  }

  arrival(from: MachineState, outcome: Exclude<Outcome, { kind: "dangling" }>): Arrival {
    const { kind, forced } = outcome;
    if (kind !== "entered") return { state: from, end: kind, forced };
    return { state: this.stateAt(outcome.state), end: endOf(this.machine, outcome.state), forced };
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
  private readonly pairs: { readonly old: number; readonly new: number }[] = [];
  private readonly rootsByNode = new Map<number, number>();

  constructor(
    private readonly old: Side,
    private readonly now: Side,
    roots: readonly RootPair[],
    private readonly work: Work,
    private readonly record: (difference: FoundDifference) => void,
  ) {
    this.starts = roots.flatMap((pair, root) => {
      if (!work.spend(old.width + now.width)) return [];
      const [before, after] = [old.start(pair.old), now.start(pair.new)];
      if (!this.compare(before.arrival, after.arrival, undefined, { root })) return [];
      const node = this.numberOf(before.id, after.id);
      if (!this.rootsByNode.has(node)) this.rootsByNode.set(node, root);
      return [node];
    });
  }

  get size(): number {
    return this.pairs.length;
  }

  readonly stateOf = (node: number): number => this.old.table.stateOf(this.pairs[node]?.old ?? 0);

  rootOf(start: number): number {
    return this.rootsByNode.get(start) ?? 0;
  }

  expand(node: number, take: (event: number, target: number) => void): void {
    const { old, now } = this;
    const pair = this.pairs[node];
    if (pair === undefined) return;
    const from = { old: old.select(pair.old), new: now.select(pair.new) };
    const events = new Set([...from.old.edges, ...from.new.edges].map(({ event }) => event));
    for (const event of events) {
      const outcomes = { old: old.attempt(from.old, event), new: now.attempt(from.new, event) };
      const passed = (outcomes.old?.forced.length ?? 0) + (outcomes.new?.forced.length ?? 0);
      if (!this.work.spend(pairWords + old.width + now.width + passed)) return;
      const before = outcomes.old && old.arrival(from.old, outcomes.old);
      const after = outcomes.new && now.arrival(from.new, outcomes.new);
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
