import { groupByReference } from "../pack/artifact-use.js";
import type { ArtifactRead, ArtifactUse, Declaration, SharedArtifactRead } from "../pack/artifacts.js";
import type { State, Workflow } from "../pack/workflow.js";
import { getOrCreate } from "../text/collections.js";
import type { Facts } from "./facts.js";
import { verdictsOf } from "./verdicts.js";

/** A place that reads an artifact which no run sets before, nor could if every state that reads it declared it. */
export interface UnsetRead {
  readonly read: ArtifactRead;
  readonly readers: readonly State[];
  readonly declarations: readonly Declaration[];
  /** A declaration that is likely to be a misspelt one of this artifact, and comes in time. */
  readonly misspelt: Declaration | undefined;
}

export function* unsetReads(workflow: Workflow, facts: Facts, artifacts: ArtifactUse): Iterable<UnsetRead> {
  if (!verdictsOf(workflow, facts).fullyResolved) return;
  if (!artifacts.hasAllDeclarations || !artifacts.allStatePromptsKnown) return;
  const flow = new ArtifactFlow(facts, artifacts);
  for (const reads of groupByReference(artifacts.reads.filter(({ certain }) => certain))) {
    const [read] = reads;
    const declarations = artifacts.declared.get(read.name);
    const readers = flow.readersOf(reads);
    if (declarations === undefined || readers.length === 0) continue;
    const couldFollow = flow.couldFollowIfDeclared(read.name, readers, declarations);
    if (couldFollow === undefined) return;
    if (couldFollow) continue;
    yield {
      read,
      readers,
      declarations,
      misspelt: findMisspeltDeclaration(read.name, readers, artifacts, flow),
    };
  }
}

/** A name that no template reads may be this one, if it is set in time. */
function findMisspeltDeclaration(
  wanted: string,
  readers: readonly State[],
  { likelyMisspellings, declared }: ArtifactUse,
  flow: ArtifactFlow,
): Declaration | undefined {
  for (const [name, near] of likelyMisspellings) {
    const declarations = near === wanted ? (declared.get(name) ?? []) : [];
    if (declarations.length > 0 && flow.canFollow(readers, declarations) === true) return declarations[0];
  }
  return undefined;
}

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
  private readonly readersByName = new Map<string, States>();
  private readonly readersByKey = new Map<string, States>();
  /** For each name, the lists of those that read it. */
  private readonly readers = new Map<string, States[]>();
  private readonly listIds = new Map<States, number>();

  constructor(
    private readonly facts: Facts,
    { reads }: ArtifactUse,
  ) {
    for (const { name, states, certain } of reads) {
      const lists = this.listsOf(name);
      if (!certain || lists.at(-1) === states) continue;
      lists.push(states);
      this.listIds.set(states, this.listIds.get(states) ?? this.listIds.size);
    }
  }

  /** The states that run a prompt with this place in it, and that can be entered. */
  readersOf(reads: SharedArtifactRead): States {
    return reads.length === 1
      ? this.onlyEntered(reads[0].states)
      : reads.flatMap((read) => this.onlyEntered(read.states));
  }

  /** Whether a reader can come after one that declares the name; nothing once too much was asked. */
  canFollow(readers: States, declarations: Declarations): boolean | undefined {
    const setters = getOrCreate(this.setters, declarations, () => declarations.map(({ state }) => state));
    return this.canComeAfter(setters, readers);
  }

  /** The same if every state that reads the name declared it, as artifact-not-in-state asks. */
  couldFollowIfDeclared(name: string, readers: States, declarations: Declarations): boolean | undefined {
    const canFollow = this.canFollow(readers, declarations);
    return canFollow === false ? this.canComeAfter(this.findReaders(name), readers) : canFollow;
  }

  private canComeAfter(earlier: States, readers: States): boolean | undefined {
    const reached = getOrCreate(this.reached, earlier, () => this.facts.statesAfter(indicesOf(earlier)));
    if (reached === undefined) return undefined;
    const following = getOrCreate(this.following, readers, () => new Map());
    return getOrCreate(following, reached, () => readers.some(({ index }) => reached.has(index)));
  }

  /** One list for all names that the same prompts read. */
  private findReaders(name: string): States {
    return getOrCreate(this.readersByName, name, () => {
      const lists = this.listsOf(name);
      const key = lists.map((list) => this.listIds.get(list)).join();
      return getOrCreate(this.readersByKey, key, () => lists.flatMap((list) => this.onlyEntered(list)));
    });
  }

  private listsOf(name: string): States[] {
    return getOrCreate(this.readers, name, () => []);
  }

  private onlyEntered(states: States): States {
    return getOrCreate(this.entered, states, () =>
      states.filter(({ index }) => this.facts.entered.has(index)),
    );
  }
}

function indicesOf(states: States): readonly number[] {
  return states.map(({ index }) => index);
}
