import type { TraceStep } from "../diagnostic.js";
import { DANGLING, knownEventsOf, type Machine, type MachineState } from "../machine/machine.js";
import { type Outcome, RunState } from "../machine/run.js";

/** Coverage items by the names of states and events, in file order. */
export interface Coverable {
  readonly states: readonly string[];
  readonly transitions: readonly { readonly state: string; readonly event: string }[];
  /** A spent state, and the state attempted instead. */
  readonly forcedExits: readonly { readonly state: string; readonly to: string }[];
  /** Complete in a state, or stopped at a guard. */
  readonly ends: readonly { readonly state: string; readonly end: "complete" | "stopped" }[];
}

/** Numbers everything that runs could do at all. */
export class CoverageItems {
  readonly count: number;
  private readonly firstEventOf: readonly number[];
  private readonly forcedExits: number;

  constructor(readonly machine: Machine) {
    const { states } = machine;
    let next = states.length;
    this.firstEventOf = states.map(({ edges }) => (next += edges.length) - edges.length);
    this.forcedExits = next;
    this.count = next + 3 * states.length;
  }

  /** The items of entering a state, at the start or later. */
  ofEntry(state: number): readonly number[] {
    return this.machine.states[state]?.ends === true ? [state, this.complete(state)] : [state];
  }

  ofEvent(from: number, event: number, outcome: Outcome): readonly number[] {
    const { states } = this.machine;
    const items = [this.transition(from, event)];
    for (const state of outcome.forced)
      if (states[states[state]?.forcedExit ?? DANGLING] !== undefined) items.push(this.forcedExits + state);
    const last = outcome.forced.at(-1);
    if (outcome.kind === "stopped" && last !== undefined) items.push(this.stopped(last));
    if (outcome.kind === "entered") items.push(...this.ofEntry(outcome.state));
    return items;
  }

  transition(state: number, event: number): number {
    return (this.firstEventOf[state] ?? 0) + event;
  }

  forcedExit(state: number): number {
    return this.forcedExits + state;
  }

  complete(state: number): number {
    return this.forcedExits + this.machine.states.length + state;
  }

  stopped(state: number): number {
    return this.forcedExits + 2 * this.machine.states.length + state;
  }

  list(has: (item: number) => boolean): Coverable {
    const { states } = this.machine;
    return {
      states: states.flatMap(({ index, name }) => (has(index) ? name : [])),
      transitions: states.flatMap(({ index, name, edges }) =>
        edges.flatMap(({ event }, number) =>
          has(this.transition(index, number)) ? { state: name, event } : [],
        ),
      ),
      forcedExits: states.flatMap(({ index, name, forcedExit = DANGLING }) =>
        has(this.forcedExit(index)) ? { state: name, to: states[forcedExit]?.name ?? "" } : [],
      ),
      ends: states.flatMap(({ index, name }) => [
        ...(has(this.complete(index)) ? [{ state: name, end: "complete" as const }] : []),
        ...(has(this.stopped(index)) ? [{ state: name, end: "stopped" as const }] : []),
      ]),
    };
  }
}

/** A run to try: the events after the start in a root. */
export interface Path {
  readonly root: number;
  readonly events: readonly string[];
}

export interface Paths {
  readonly items: CoverageItems;
  /** Items that some run covers. */
  readonly coverable: ReadonlySet<number>;
  /** Few runs that together do all of that. */
  readonly paths: readonly Path[];
  /** Items that some run may cover, if there are too many runs to explore. */
  readonly undecided: ReadonlySet<number>;
  /** Items left out because their runs would make the list too long. */
  readonly leftOut: ReadonlySet<number>;
}

/** The kinds of items, in display order. */
export const parts = ["states", "transitions", "forcedExits", "ends"] as const;
export type Part = (typeof parts)[number];
export type Item = Coverable[Part][number];

export function partOf(items: CoverageItems, item: number): Part {
  const { length } = items.machine.states;
  const firstExit = items.forcedExit(0);
  if (item < firstExit) return item < length ? "states" : "transitions";
  return item < firstExit + length ? "forcedExits" : "ends";
}

export interface Coverage {
  readonly seen: Coverable;
  readonly missing: Coverable;
  /** Undecided items that no record shows. */
  readonly undecided: Coverable;
}

/** Everything that some runs have done. */
export class Tried {
  private readonly done = new Set<number>();

  constructor(readonly items: CoverageItems) {}

  has(item: number): boolean {
    return this.done.has(item);
  }

  start(root: number): readonly number[] {
    return this.add(this.items.ofEntry(root));
  }

  /** An event was sent in a state. Returns what no run had done before. */
  send(from: MachineState, event: string, outcome: Outcome): readonly number[] {
    const number = knownEventsOf(from).byName.get(event);
    return number === undefined ? [] : this.add(this.items.ofEvent(from.index, number, outcome));
  }

  /** Compares it with what runs can do. What a run has done is possible, even where that was undecided. */
  measure({ items, coverable, undecided }: Pick<Paths, "items" | "coverable" | "undecided">): Coverage {
    return {
      seen: items.list((item) => this.has(item) && (coverable.has(item) || undecided.has(item))),
      missing: items.list((item) => coverable.has(item) && !this.has(item)),
      undecided: items.list((item) => undecided.has(item) && !this.has(item)),
    };
  }

  private add(items: readonly number[]): readonly number[] {
    const fresh = items.filter((item) => !this.done.has(item));
    for (const item of fresh) this.done.add(item);
    return fresh;
  }
}

/** Returns also the items that no earlier path covers. */
export function walkPath({ root, events }: Path, tried: Tried) {
  const run = new RunState(tried.items.machine).enter(root);
  const steps: TraceStep[] = [];
  const news = [...tried.start(root)];
  const { name } = run.current;
  for (const event of events) {
    const number = run.eventsByName.get(event);
    if (number === undefined) break;
    news.push(...tried.send(run.current, event, run.peek(number)));
    steps.push(run.advance(number));
  }
  return { trace: { root: name, steps }, status: run.status, news };
}
