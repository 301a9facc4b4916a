import {
  type ArtifactRead,
  type ArtifactUse,
  type Declaration,
  readsOfReaders,
} from "../pack/artifact-use.js";
import type { State, Workflow } from "../pack/workflow.js";
import { appendTo, cached, getOrCreate } from "../text/collections.js";
import { type Facts, verdictsOf } from "./facts.js";

/** Reads of artifacts that no run can set earlier, not even if every state that reads one declared it. */
export function* unsetReads(workflow: Workflow, facts: Facts, artifacts: ArtifactUse) {
  if (!verdictsOf(workflow, facts).fullyResolved) return;
  if (!artifacts.hasAllDeclarations || !artifacts.allStatePromptsKnown) return;
  const flow = new ArtifactFlow(facts, artifacts);
  for (const read of readsOfReaders(artifacts, () => true)) {
    const declarations = artifacts.declared.get(read.name);
    const readers = flow.readersOf(read);
    if (declarations === undefined || readers.length === 0) continue;
    const couldFollow = flow.couldFollowIfDeclared(read.name, readers, declarations);
    if (couldFollow === undefined) return;
    if (!couldFollow) yield { read, readers, declarations };
  }
}

type States = readonly State[];

/** Whether reads can follow writes. Results are cached, since thousands of reads share their lists of states. */
export class ArtifactFlow {
  private readonly readsByName = new Map<string, ArtifactRead[]>();
  private readonly unions = new Map<string, States>();
  private readonly listIds = new Map<States, number>();
  private readonly onlyEntered = cached((states: States): States =>
    states.filter(({ index }) => this.facts.entered.has(index)),
  );
  private readonly setters = cached((declarations: readonly Declaration[]): States =>
    declarations.map(({ state }) => state),
  );
  private readonly statesAfter = cached((earlier: States) =>
    this.facts.statesAfter(earlier.map(({ index }) => index)),
  );
  private readonly anyOf = cached((readers: States) =>
    cached((reached: ReadonlySet<number>) => readers.some(({ index }) => reached.has(index))),
  );

  constructor(
    private readonly facts: Facts,
    { reads }: ArtifactUse,
  ) {
    for (const read of reads) if (read.certain) appendTo(this.readsByName, read.name, read);
  }

  /** The states that can be entered and whose prompts contain one of these places; the same states are the same list. */
  readersOf(...reads: readonly ArtifactRead[]): States {
    const lists = [...new Set(reads.flatMap(({ readers }) => readers.map(({ states }) => states)))];
    const key = lists.map((list) => getOrCreate(this.listIds, list, () => this.listIds.size)).join();
    return getOrCreate(this.unions, key, () => [...new Set(lists.flatMap(this.onlyEntered))]);
  }

  /**
   * Whether a reader can come after a state that declares the artifact, if all its readers declared it, as
   * artifact-not-in-state requires; undefined once the search budget is used up.
   */
  couldFollowIfDeclared(
    name: string,
    readers: States,
    declarations: readonly Declaration[],
  ): boolean | undefined {
    const canFollow = this.canComeAfter(this.setters(declarations), readers);
    if (canFollow !== false) return canFollow;
    return this.canComeAfter(this.readersOf(...(this.readsByName.get(name) ?? [])), readers);
  }

  private canComeAfter(earlier: States, readers: States): boolean | undefined {
    const reached = this.statesAfter(earlier);
    return reached && this.anyOf(readers)(reached);
  }
}
