import { factsOf, type SkippedRead } from "../composition/facts.js";
import { readsOf } from "../composition/reads.js";
import type { PackRule } from "./rule.js";
import { orderedCompositions, readText, traceOf } from "./shared/composition-findings.js";

export const referenceMayBeSkipped: PackRule = {
  id: "reference-may-be-skipped",
  subject: "pack",
  summary: "A step that is read has run in every outcome in which the reader runs.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, branches",
  *check(pack) {
    for (const composition of orderedCompositions(pack)) {
      const { skippedReads, mustRun } = factsOf(composition);
      if (skippedReads.length === 0) continue;
      const reads = new Map(readsOf(composition).map((read) => [read.reference, read]));
      for (const skipped of skippedReads) {
        const { reader, reference, answers, isEvery } = skipped;
        const read = reads.get(reference);
        if (read === undefined) continue;
        yield {
          at: reference.at,
          message: `${readText(read)}, but ${reasonFor(skipped)}.`,
          advice: adviceFor(skipped),
          trace: isEvery && mustRun(reader) ? undefined : traceOf(answers),
        };
      }
    }
  },
};

function reasonFor({ reader, read, isEvery }: SkippedRead): string {
  const name = `"${read.id.text}"`;
  return isEvery
    ? `${name} is skipped whenever "${reader.id.text}" runs, and the composition then fails`
    : `${name} may have been skipped, and the composition then fails`;
}

function adviceFor({ reader, read, isEvery }: SkippedRead): string | undefined {
  // A branch that is skipped chooses nothing.
  if (isEvery || reader.kind === "branch") return undefined;
  const { dependsOn, id } = reader.parent ?? reader;
  if (dependsOn.length === 0)
    return `To skip "${id.text}" as well, add "${read.id.text}" to its "depends_on".`;
  return dependsOn.some(({ text }) => text === read.id.text)
    ? 'A step is skipped only if all steps in its "depends_on" are.'
    : undefined;
}
