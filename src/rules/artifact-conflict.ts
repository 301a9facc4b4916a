import type { Artifact } from "../pack/workflow.js";
import type { PackRule } from "./rule.js";

export const artifactConflict: PackRule = {
  id: "artifact-conflict",
  subject: "pack",
  summary: "States that declare one artifact agree on its type and mode.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",
  *check({ artifacts }) {
    for (const [name, [first, ...others]] of artifacts.declared) {
      if (first === undefined) continue;
      for (const { state, artifact } of others) {
        const difference = differenceOf(artifact, first.artifact);
        if (difference === undefined) continue;
        yield {
          at: artifact.name,
          message: `State "${state.name.text}" declares the artifact "${name}" with ${difference}, as in "${first.state.name.text}". It is one artifact: make them agree.`,
          related: [{ at: first.artifact.name, message: `"${first.state.name.text}" declares it here` }],
        };
      }
    }
  },
};

function differenceOf(artifact: Artifact, first: Artifact): string | undefined {
  const words = [
    ...compare("type", artifact.type?.text, first.type?.text),
    ...compare("mode", artifact.mode?.text ?? "replace", first.mode?.text ?? "replace"),
  ];
  return words.length === 0 ? undefined : words.join(" and ");
}

/** A missing type is the schema's to report. */
function compare(what: string, own: string | undefined, first: string | undefined): readonly string[] {
  if (own === undefined || first === undefined || own === first) return [];
  return [`the ${what} "${own}", not "${first}"`];
}
