import { ArtifactFlow } from "./artifact-flow.js";
import type { Facts } from "./facts.js";
import { verdictsOf } from "./verdicts.js";
import { groupByReference } from "../pack/artifact-use.js";
import type { ArtifactRead, ArtifactUse, Declaration } from "../pack/artifacts.js";
import type { State, Workflow } from "../pack/workflow.js";

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
    yield { read, readers, declarations, misspelt: findMisspeltDeclaration(read.name, readers, artifacts, flow) };
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
