import type { Place, TraceStep } from "../diagnostic.js";
import { DANGLING, knownEventsOf, type Machine, type MachineState } from "../machine/machine.js";
import { type Outcome, RunState } from "../machine/run.js";
import type { Replay } from "../replay/replay.js";

/** The kinds of items, in display order. */
export const parts = ["states", "transitions", "forcedExits", "ends"] as const;
export type Part = (typeof parts)[number];

/** Everything that runs can do, by the names of states and events, in file order. */
export interface Coverable {
  readonly states: readonly string[];
  readonly transitions: readonly { readonly state: string; readonly event: string }[];
  /** A spent state, and the state attempted instead. */
  readonly forcedExits: readonly { readonly state: string; readonly to: string }[];
  /** Complete in a state, or stopped at a guard. */
  readonly ends: readonly { readonly state: string; readonly end: "complete" | "stopped" }[];
}
export type Item = Coverable[Part][number];

/** Numbers everything that runs could do at all: states first, by their own numbers. */
export class CoverageItems {
  private readonly all: readonly { readonly part: Part; readonly item: Item }[];
  private readonly firstEventOf: readonly number[];
  private readonly firstExit: number;

  constructor(readonly machine: Machine) {
    const { states } = machine;
    let next = states.length;
    this.firstEventOf = states.map(({ edges }) => (next += edges.length) - edges.length);
    this.firstExit = next;
    const all: { part: Part; item: Item }[] = states.map(({ name }) => ({ part: "states", item: name }));
    for (const { name: state, edges } of states)
      for (const { event } of edges) all.push({ part: "transitions", item: { state, event } });
    for (const { name: state, forcedExit = DANGLING } of states)
      all.push({ part: "forcedExits", item: { state, to: states[forcedExit]?.name ?? "" } });
    for (const { name: state } of states)
      for (const end of ["complete", "stopped"] as const) all.push({ part: "ends", item: { state, end } });
    this.all = all;
  }

  ofEntry(state: number): readonly number[] {
    return this.machine.states[state]?.ends === true ? [state, this.complete(state)] : [state];
  }

  ofEvent(from: number, event: number, outcome: Outcome): readonly number[] {
    const { states } = this.machine;
    const items = [this.transition(from, event)];
    for (const state of outcome.forced)
      if (states[states[state]?.forcedExit ?? DANGLING] !== undefined) items.push(this.forcedExit(state));
    const last = outcome.forced.at(-1);
    if (outcome.kind === "stopped" && last !== undefined) items.push(this.stopped(last));
    if (outcome.kind === "entered") items.push(...this.ofEntry(outcome.state));
    return items;
  }

  transition(state: number, event: number): number {
    return (this.firstEventOf[state] ?? 0) + event;
  }

  forcedExit(state: number): number {
    return this.firstExit + state;
  }

  complete(state: number): number {
    return this.firstExit + this.machine.states.length + 2 * state;
  }

  stopped(state: number): number {
    return this.complete(state) + 1;
  }

  partOf(item: number): Part | undefined {
    return this.all[item]?.part;
  }

  list(has: (item: number) => boolean): Coverable {
    const chosen: Readonly<Record<Part, Item[]>> = { states: [], transitions: [], forcedExits: [], ends: [] };
    for (const [number, { part, item }] of this.all.entries()) if (has(number)) chosen[part].push(item);
    return chosen as unknown as Coverable;
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

export interface Coverage {
  readonly seen: Coverable;
  readonly missing: Coverable;
  /** Undecided items that no record shows. */
  readonly undecided: Coverable;
}

export class Tried {
  readonly done = new Set<number>();

  constructor(readonly items: CoverageItems) {}

  has(item: number): boolean {
    return this.done.has(item);
  }

  start(root: number): readonly number[] {
    return this.add(this.items.ofEntry(root));
  }

  send(from: MachineState, event: string, outcome: Outcome): readonly number[] {
    const number = knownEventsOf(from).byName.get(event);
    return number === undefined ? [] : this.add(this.items.ofEvent(from.index, number, outcome));
  }

  walkPath({ root, events }: Path) {
    const run = new RunState(this.items.machine).enter(root);
    const steps: TraceStep[] = [];
    const news = [...this.start(root)];
    const { name } = run.current;
    for (const event of events) {
      const number = run.eventsByName.get(event);
      if (number === undefined) break;
      news.push(...this.send(run.current, event, run.peek(number)));
      steps.push(run.advance(number));
    }
    return { trace: { root: name, steps }, status: run.status, news };
  }

  /** Notes what a recorded run did, up to the first part that does not fit the workflow, and returns its place. */
  walkRecord(replay: Replay): Place | undefined {
    const { recording, endOutcome, stateNamed, target } = replay;
    const { start, moves, end, context, afterEnd, at } = recording;
    const root = stateNamed(start?.state.text);
    if (root !== undefined && target.machine.roots.includes(root.index)) this.start(root.index);
    // A history that was cut begins in the middle of the run.
    else if (start !== undefined || context?.isHistoryTruncated !== true) return start?.state ?? at;
    let last = root;
    for (const move of moves) {
      const outcome = replay.outcomes.get(move);
      const from = stateNamed(move.from?.text);
      if (outcome !== undefined && move.refusal !== undefined) continue;
      if (outcome?.kind !== "entered" || from === undefined) return move.event ?? move.forcedAt;
      this.send(from, move.event?.text ?? "", outcome);
      last = target.machine.states[outcome.state];
    }
    if (endOutcome !== undefined && last !== undefined) this.send(last, end?.event?.text ?? "", endOutcome);
    else if (end?.event !== undefined && !end.isByBudget) return end.event;
    return replay.findings("run-end")[0]?.at ?? afterEnd;
  }

  /** Compares it with what runs can do. What a run has done is possible, even where that was undecided. */
  measure({ items, coverable, undecided }: Pick<Paths, "items" | "coverable" | "undecided">): Coverage {
    return {
      seen: items.list((item) => this.has(item) && (coverable.has(item) || undecided.has(item))),
      missing: items.list((item) => coverable.has(item) && !this.has(item)),
      undecided: items.list((item) => undecided.has(item) && !this.has(item)),
    };
  }

  /** Returns the items that no run had done before. */
  protected add(items: readonly number[]): readonly number[] {
    const fresh = items.filter((item) => !this.done.has(item));
    for (const item of fresh) this.done.add(item);
    return fresh;
  }
}
