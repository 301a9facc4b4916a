import type { ArtifactUse, Declaration, SharedRead } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import type { Facts } from "./facts.js";

/** Which reads of an artifact can come after a state that sets it. */
export class ArtifactFlow {
  /** Reads of one prompt share the list of its states. */
  private readonly entered = new Map<readonly State[], readonly State[]>();
  private readonly reached = new Map<readonly Declaration[], ReadonlySet<number> | undefined>();
  private readonly owed = new Map<string, ReadonlySet<number> | undefined>();

  constructor(
    private readonly facts: Facts,
    private readonly artifacts: ArtifactUse,
  ) {}

  /** The states that run a prompt with this place in it, and that can be entered. */
  readersOf(reads: SharedRead): readonly State[] {
    return reads.length === 1
      ? this.enteredOf(reads[0].states)
      : reads.flatMap((read) => this.enteredOf(read.states));
  }

  /** The states that can come after one of those that declare a name; nothing once too much was asked. */
  statesAfter(declarations: readonly Declaration[]): ReadonlySet<number> | undefined {
    if (!this.reached.has(declarations)) {
      const setters = declarations.map(({ state }) => state.index);
      this.reached.set(declarations, this.facts.statesAfter(setters));
    }
    return this.reached.get(declarations);
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
    if (!this.owed.has(name)) {
      const lacking = this.readersNamed(name).filter((state) => !declaring.has(state));
      this.owed.set(name, this.facts.statesAfter(lacking.map(({ index }) => index)));
    }
    return waiting.some(({ index }) => this.owed.get(name)?.has(index));
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
