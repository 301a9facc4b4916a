import type { ArtifactUse, Declaration, SharedRead } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import type { Facts } from "./facts.js";

/** Bounds the walks through the workflow for each of the two questions: in all, and times the states. */
const mostWalks = 100;
const mostSteps = 1_000_000;

/** Which reads of an artifact can come after a state that sets it. */
export class ArtifactFlow {
  /** Reads of one prompt share the list of its states. */
  private readonly entered = new Map<readonly State[], readonly State[]>();
  private readonly reached = new Map<readonly Declaration[], ReadonlySet<number>>();
  private readonly reachedFrom = new Map<string, ReadonlySet<number>>();
  private readonly owed = new Map<string, ReadonlySet<number>>();
  private readonly mostWalks: number;

  constructor(
    private readonly facts: Facts,
    private readonly artifacts: ArtifactUse,
  ) {
    this.mostWalks = Math.min(mostWalks, mostSteps / facts.machine.states.length);
  }

  /** The states that run a prompt with this place in it, and that can be entered. */
  readersOf(reads: SharedRead): readonly State[] {
    return reads.length === 1
      ? this.enteredOf(reads[0].states)
      : reads.flatMap((read) => this.enteredOf(read.states));
  }

  /** The states that can come after one of those that declare a name; nothing once the walks are used up. */
  statesAfter(declarations: readonly Declaration[]): ReadonlySet<number> | undefined {
    const known = this.reached.get(declarations);
    if (known !== undefined) return known;
    const setters = declarations
      .map(({ state }) => state.index)
      .filter((index) => this.facts.entered.has(index));
    const key = setters.join();
    let after = this.reachedFrom.get(key);
    if (after === undefined) {
      if (this.reachedFrom.size >= this.mostWalks) return undefined;
      this.reachedFrom.set(key, (after = this.facts.statesAfter(setters)));
    }
    this.reached.set(declarations, after);
    return after;
  }

  /**
   * Whether a reader that declares the name can come after one that does not: with that declaration, which
   * artifact-not-in-state asks for, it could be set.
   */
  waitsForDeclaration(
    name: string,
    readers: readonly State[],
    declarations: readonly Declaration[],
  ): boolean {
    const declaring = new Set(declarations.map(({ state }) => state));
    const waiting = readers.filter((state) => declaring.has(state));
    if (waiting.length === 0) return false;
    let after = this.owed.get(name);
    if (after === undefined) {
      if (this.owed.size >= this.mostWalks) return false;
      const lacking = this.readersNamed(name).filter((state) => !declaring.has(state));
      this.owed.set(name, (after = this.facts.statesAfter(lacking.map(({ index }) => index))));
    }
    return waiting.some(({ index }) => after.has(index));
  }

  private enteredOf(states: readonly State[]): readonly State[] {
    let found = this.entered.get(states);
    if (found === undefined) {
      found = states.filter(({ index }) => this.facts.entered.has(index));
      this.entered.set(states, found);
    }
    return found;
  }

  private readersNamed(wanted: string): readonly State[] {
    const lists = new Set<readonly State[]>();
    for (const { name, states, certain } of this.artifacts.reads)
      if (certain && name === wanted) lists.add(this.enteredOf(states));
    return [...lists].flat();
  }
}
