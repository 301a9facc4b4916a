import { getOrMake } from "../maps/get-or-make.js";
import type { ArtifactUse, Declaration, SharedRead } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import type { Facts } from "./facts.js";

type States = readonly State[];
type Declarations = readonly Declaration[];
type Indices = ReadonlySet<number>;

/** Which reads of an artifact can come after a state that sets it. What thousands of reads share is found once. */
export class ArtifactFlow {
  /** Reads of one prompt share the list of its states. */
  private readonly entered = new Map<States, States>();
  private readonly setters = new Map<Declarations, States>();
  private readonly reached = new Map<States, Indices | undefined>();
  private readonly following = new Map<States, Map<Indices, boolean>>();
  private readonly named = new Map<string, States>();
  private readonly together = new Map<string, States>();
  /** For each name, the lists of those that read it. */
  private readonly readers = new Map<string, States[]>();
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
    const setters = getOrMake(this.setters, declarations, () => declarations.map(({ state }) => state));
    return this.comeAfter(setters, readers);
  }

  /** The same if every state that reads the name declared it, as artifact-not-in-state asks. */
  couldFollow(name: string, readers: States, declarations: Declarations): boolean | undefined {
    const canFollow = this.canFollow(readers, declarations);
    return canFollow === false ? this.comeAfter(this.readersNamed(name), readers) : canFollow;
  }

  private comeAfter(earlier: States, readers: States): boolean | undefined {
    const reached = getOrMake(this.reached, earlier, () => this.facts.statesAfter(indicesOf(earlier)));
    if (reached === undefined) return undefined;
    const following = getOrMake(this.following, readers, () => new Map());
    return getOrMake(following, reached, () => readers.some(({ index }) => reached.has(index)));
  }

  /** One list for all names that the same prompts read. */
  private readersNamed(name: string): States {
    return getOrMake(this.named, name, () => {
      const lists = this.listsOf(name);
      const key = lists.map((list) => this.numbers.get(list)).join();
      return getOrMake(this.together, key, () => lists.flatMap((list) => this.enteredOf(list)));
    });
  }

  private listsOf(name: string): States[] {
    return getOrMake(this.readers, name, () => []);
  }

  private enteredOf(states: States): States {
    return getOrMake(this.entered, states, () => states.filter(({ index }) => this.facts.entered.has(index)));
  }
}

function indicesOf(states: States): readonly number[] {
  return states.map(({ index }) => index);
}
