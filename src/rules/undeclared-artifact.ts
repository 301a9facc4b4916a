import { groupByReference } from "../pack/artifact-use.js";
import type { SharedArtifactRead } from "../pack/artifacts.js";
import { isOlderThan } from "../schema/spec-version.js";
import type { PackRule } from "./rule.js";
import { createReferenceSuggester, namesKnownTo } from "./shared/name-corrections.js";
import { listReaders } from "./shared/template-messages.js";

export const undeclaredArtifact: PackRule = {
  id: "undeclared-artifact",
  subject: "pack",
  summary: "Every artifact that a prompt in the workflow reads is declared by a state.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0009, rule 4",
  *check(pack) {
    const { artifacts } = pack;
    if (!artifacts.hasAllDeclarations) return;
    const dangling = artifacts.reads.filter(
      ({ name, certain, states }) => certain && states.length > 0 && !artifacts.declared.has(name),
    );
    const isOlder = isOlderThan(pack.spec, "1.4.0");
    const suggest = createReferenceSuggester(pack);
    for (const reads of groupByReference(dangling)) {
      const [{ name, prompt, reading }] = reads;
      const suggestion = suggest(reading, namesKnownTo(prompt, pack));
      yield {
        at: reading.source.placeOf(reading.reference),
        message: `No state declares the artifact "${name}", which ${listReaders(reads)}.`,
        ...(suggestion ?? {
          advice: isOlder ? "From spec 1.4 on, a state can declare it." : adviceFor(reads),
        }),
      };
    }
  },
};

/** Both the state that sets an artifact and those that read it declare it. */
function adviceFor([{ states }, ...others]: SharedArtifactRead): string {
  const reader = states.length === 1 && others.length === 0 ? states[0] : undefined;
  const readers = reader === undefined ? "every state that reads it" : `"${reader.name.text}"`;
  return `Declare it in an earlier state that sets it, and in ${readers}.`;
}
