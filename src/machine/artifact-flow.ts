import type { ArtifactUse, Declaration, SharedRead } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import type { Facts } from "./facts.js";
import { Once } from "./once.js";

type States = readonly State[];
type Declarations = readonly Declaration[];
type Indices = ReadonlySet<number>;

/** Which reads of an artifact can come after a state that sets it. What thousands of reads share is found once. */
export class ArtifactFlow {
  /** Reads of one prompt share the list of its states. */
  private readonly entered = new Once<States, States>();
  private readonly setters = new Once<Declarations, States>();
  private readonly sets = new Once<States, ReadonlySet<State>>();
  private readonly reached = new Once<States, Indices | undefined>();
  private readonly following = new Once<States, Once<Indices, boolean>>();
  private readonly waiting = new Once<States, Once<States, boolean>>();
  private readonly owed = new Once<string, Indices | undefined>();
  /** For each name, the lists of those that read it. */
  private readonly readers = new Once<string, States[]>();
  private readonly numbers = new Map<States, number>();

  constructor(
    private readonly facts: Facts,
    { reads }: ArtifactUse,
  ) {
    for (const { name, states, certain } of reads) {
      const lists = this.listsOf(name);
      if (!certain || lists.at(-1) === states) continue;
      lists.push(states);
      this.numbers.set(states, this.numbers.get(states) ?? this.numbers.size);
    }
  }

  /** The states that run a prompt with this place in it, and that can be entered. */
  readersOf(reads: SharedRead): States {
    return reads.length === 1
      ? this.enteredOf(reads[0].states)
      : reads.flatMap((read) => this.enteredOf(read.states));
  }

  /** Whether a reader can come after one that declares the name; nothing once too much was asked. */
  canFollow(readers: States, declarations: Declarations): boolean | undefined {
    const setters = this.settersOf(declarations);
    const reached = this.reached.of(setters, () => this.facts.statesAfter(indicesOf(setters)));
    if (reached === undefined) return undefined;
    return this.following
      .of(readers, () => new Once())
      .of(reached, () => readers.some(({ index }) => reached.has(index)));
  }

  /**
   * Whether a reader that declares the name can come after one that does not: with that declaration, which
   * artifact-not-in-state asks for, it could be set.
   */
  waitsForDeclaration(name: string, readers: States, declarations: Declarations): boolean {
    const setters = this.settersOf(declarations);
    return this.waiting
      .of(readers, () => new Once())
      .of(setters, () => {
        const both = this.inBoth(readers, setters);
        return both.length > 0 && both.some(({ index }) => this.afterLacking(name, setters)?.has(index));
      });
  }

  /** The states that can come after one that reads the name and does not declare it. */
  private afterLacking(name: string, setters: States): Indices | undefined {
    const lists = this.listsOf(name);
    const key = `${lists.map((list) => this.numbers.get(list)).join()}:${indicesOf(setters).join()}`;
    return this.owed.of(key, () => {
      const declaring = this.setOf(setters);
      const lacking = lists.flatMap((list) => this.enteredOf(list)).filter((state) => !declaring.has(state));
      return this.facts.statesAfter(indicesOf(lacking));
    });
  }

  private listsOf(name: string): States[] {
    return this.readers.of(name, () => []);
  }

  private enteredOf(states: States): States {
    return this.entered.of(states, () => states.filter(({ index }) => this.facts.entered.has(index)));
  }

  private settersOf(declarations: Declarations): States {
    return this.setters.of(declarations, () => declarations.map(({ state }) => state));
  }

  private setOf(states: States): ReadonlySet<State> {
    return this.sets.of(states, () => new Set(states));
  }

  private inBoth(a: States, b: States): States {
    const [few, many] = a.length < b.length ? [a, b] : [b, a];
    const others = this.setOf(many);
    return few.filter((state) => others.has(state));
  }
}

function indicesOf(states: States): readonly number[] {
  return states.map(({ index }) => index);
}
