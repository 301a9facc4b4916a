import { groupByReference } from "../pack/artifact-use.js";
import type { SharedArtifactRead } from "../pack/artifacts.js";
import { hasUnknownStateReference } from "../pack/pack.js";
import type { PackRule } from "./rule.js";
import { createReferenceSuggester, namesKnownTo, noNames } from "./shared/name-corrections.js";
import { listPrompts, listReaders, throughFragment } from "./shared/template-messages.js";

export const artifactOutsideWorkflow: PackRule = {
  id: "artifact-outside-workflow",
  subject: "pack",
  summary: "Only prompts that a state runs read artifacts.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0009, artifact lifecycle",
  *check(pack) {
    const { artifacts, workflow, hasWorkflow } = pack;
    const outside = artifacts.reads.filter(({ certain, states }) => certain && states.length === 0);
    if (outside.length === 0) return;
    // A state whose prompt is unknown, or that is missing itself, may run this prompt.
    if (hasWorkflow && !artifacts.allStatePromptsKnown) return;
    if (workflow !== undefined && hasUnknownStateReference(pack, workflow)) return;
    const suggest = createReferenceSuggester(pack);
    for (const reads of groupByReference(outside)) {
      const [{ name, prompt, reading }] = reads;
      const isDeclared = hasWorkflow && (!artifacts.hasAllDeclarations || artifacts.declared.has(name));
      yield {
        at: reading.source.placeOf(reading.reference),
        message: messageFor(reads, hasWorkflow),
        // No artifact is ever filled in here, so only variables and fragments are suggested.
        ...(!isDeclared && suggest(reading, { ...namesKnownTo(prompt, pack), artifact: noNames })),
      };
    }
  },
};

function messageFor(reads: SharedArtifactRead, hasWorkflow: boolean): string {
  const artifact = `the artifact "${reads[0].name}"`;
  if (!hasWorkflow) return `The pack has no workflow to fill in ${artifact}, which ${listReaders(reads)}.`;
  const readers = reads.length === 1 ? "it reads" : "they read";
  return `No state runs ${listPrompts(reads)}, so ${artifact}, which ${readers}${throughFragment(reads[0].reading)}, is never filled in.`;
}
