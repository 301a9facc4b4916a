import { DANGLING, type Machine } from "../machine/machine.js";
import type { Outcome } from "../machine/run.js";

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

  /** The items of starting in a root. */
  ofStart(root: number): readonly number[] {
    return this.ofEntry(root);
  }

  /** The items of sending an event in a state. */
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

  private ofEntry(state: number): readonly number[] {
    return this.machine.states[state]?.ends === true ? [state, this.complete(state)] : [state];
  }

  /** The names of those items that are in the set. */
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
