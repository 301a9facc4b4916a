import { ArtifactFlow } from "../machine/artifact-flow.js";
import { verdictsOf } from "../machine/verdicts.js";
import { byPlace } from "../pack/artifact-use.js";
import type { ArtifactUse, Declaration } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import { listNamed } from "../wording.js";
import { lostStates, unclearTexts } from "./held-back.js";
import type { WorkflowRule } from "./rule.js";

export const artifactNeverSet: WorkflowRule = {
  id: "artifact-never-set",
  subject: "workflow",
  summary: "Some state that declares an artifact can come before the one that reads it.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",
  heldBackBy: [
    ...lostStates,
    ...unclearTexts,
    "no-terminal-state",
    "artifact-not-in-state",
    "undeclared-artifact",
  ],
  *check(workflow, facts, { artifacts }) {
    if (!verdictsOf(workflow, facts).sound || !artifacts.hasAllDeclarations) return;
    const flow = new ArtifactFlow(facts, artifacts);
    for (const reads of byPlace(artifacts.reads.filter(({ certain }) => certain))) {
      const [{ name, reading }] = reads;
      const declarations = artifacts.declared.get(name);
      const readers = flow.readersOf(reads);
      if (declarations === undefined || readers.length === 0) continue;
      const canFollow = flow.canFollow(readers, declarations);
      if (canFollow === undefined) return;
      if (canFollow) continue;
      if (flow.waitsForDeclaration(name, readers, declarations)) continue;
      yield {
        at: reading.source.placeOf(reading.reference),
        message: `The artifact "${name}" is always empty here: ${reason(declarations, readers)}.`,
        advice: adviceFor(name, readers, artifacts, flow),
        related: declarations
          .slice(0, 3)
          .map(({ state, artifact }) => ({ at: artifact.name, message: `"${state.name.text}" declares it` })),
      };
    }
  },
};

/** A name that no template reads may be this one, if it is set in time. */
function adviceFor(
  wanted: string,
  readers: readonly State[],
  { meant, declared }: ArtifactUse,
  flow: ArtifactFlow,
): string | undefined {
  for (const [name, near] of meant) {
    const declarations = near === wanted ? (declared.get(name) ?? []) : [];
    const [first] = declarations;
    if (first !== undefined && flow.canFollow(readers, declarations) === true)
      return `Did you misspell it as "${name}" in state "${first.state.name.text}"?`;
  }
  return undefined;
}

function reason(declarations: readonly Declaration[], readers: readonly State[]): string {
  const [setter, ...others] = declarations;
  const reading = `${listNamed(readers, ({ name }) => name.text)} ${readers.length === 1 ? "reads" : "read"} it`;
  if (setter === undefined || others.length > 0) {
    const names = listNamed(declarations, ({ state }) => state.name.text);
    return `it is declared by ${names}, and no run enters any of them before ${reading}`;
  }
  const name = setter.state.name.text;
  return readers.length === 1 && readers[0] === setter.state
    ? `only state "${name}" itself declares it, and no run enters "${name}" twice`
    : `only state "${name}" declares it, and no run enters "${name}" before ${reading}`;
}
