import type { Trace, TraceStep } from "../diagnostic.js";
import { knownEventsOf, type MachineState } from "../machine/machine.js";
import { type Outcome, Run, type RunStatus, takeStep } from "../machine/run.js";
import type { Coverable, CoverageItems, Path, Paths } from "./items.js";

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
    return this.add(this.items.ofStart(root));
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

interface WalkedPath {
  readonly trace: Trace;
  readonly status: RunStatus;
  /** The items that no earlier path covers. */
  readonly news: readonly number[];
}

export function walkPath({ root, events }: Path, tried: Tried): WalkedPath {
  const run = new Run(tried.items.machine, root);
  const steps: TraceStep[] = [];
  const news = [...tried.start(root)];
  const { name } = run.current;
  for (const event of events) {
    const { current } = run;
    const number = knownEventsOf(current).byName.get(event);
    if (number === undefined) break;
    news.push(...tried.send(current, event, run.peek(number)));
    steps.push(takeStep(run, number));
  }
  return { trace: { root: name, steps }, status: run.status, news };
}
