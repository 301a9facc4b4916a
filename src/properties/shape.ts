import { LEFT_OUT, type System, type Work } from "../machine/explore.js";
import { DANGLING, type Machine } from "../machine/machine.js";
import { buildStructure, type Structure } from "../machine/structure.js";
import { getOrCreate } from "../text/collections.js";
import type { Watch } from "./watch.js";

/**
 * The shape of a workflow as a system with more runs than the machine: any guard that may be spent is spent or not, at
 * will. What no run does here, no run of the machine does.
 */
export class ShapeRuns implements System {
  readonly starts: readonly number[];
  private readonly structure: Structure;
  private readonly numbers = new Map<number, number>();
  private readonly keys: number[] = [];
  private readonly count: number;

  constructor(
    private readonly machine: Machine,
    private readonly work: Work,
    private readonly watch: Watch,
  ) {
    this.structure = buildStructure(machine);
    this.count = machine.states.length;
    this.starts = machine.roots.flatMap((root) => {
      const tag = watch.observe(watch.initial, { kind: "entered", state: root });
      return tag === LEFT_OUT ? [] : [this.numberOf(root, tag)];
    });
  }

  get size(): number {
    return this.keys.length;
  }

  /** A state, one of the two ends, or above these a state that is attempted. */
  readonly stateOf = (node: number): number => Math.floor((this.keys[node] ?? 0) / this.watch.tags);
  readonly tagOf = (node: number): number => (this.keys[node] ?? 0) % this.watch.tags;

  expand(node: number, take: (event: number, target: number) => void): void {
    const { machine, count, watch } = this;
    const [place, tag] = [this.stateOf(node), this.tagOf(node)];
    const go = (event: number, target: number, after: number): void => {
      if (after !== LEFT_OUT && this.work.spend(1)) take(event, this.numberOf(target, after));
    };
    const [stopped, stuck, firstAttempt] = [count, count + 1, count + 2];
    if (place < count) {
      for (const [event, { target }] of (machine.states[place]?.edges ?? []).entries())
        if (target !== DANGLING)
          go(event, firstAttempt + target, watch.observe(tag, { kind: "sent", state: place, event }));
      return;
    }
    const index = place - firstAttempt;
    const attempted = machine.states[index];
    if (attempted === undefined) return;
    go(0, index, watch.observe(tag, { kind: "entered", state: index }));
    if (this.structure.mayBeSpent[index] !== 1) return;
    const redirected = watch.observe(tag, { kind: "spent", state: index });
    const { forcedExit } = attempted;
    if (forcedExit === undefined) go(0, stopped, redirected);
    else if (forcedExit !== DANGLING) go(0, firstAttempt + forcedExit, redirected);
    if (this.structure.onForcedExitCycle.has(index)) go(0, stuck, redirected);
  }

  private numberOf(place: number, tag: number): number {
    const key = place * this.watch.tags + tag;
    return getOrCreate(this.numbers, key, () => this.keys.push(key) - 1);
  }
}
