import { stringsWithin } from "../../agentic/strings-within.js";
import { artifactNamed } from "../../agentic/workspace.js";
import type { AgenticRule } from "../rule.js";

export const agenticUnknownArtifact: AgenticRule = {
  id: "agentic-unknown-artifact",
  subject: "agentic",
  summary: "Every artifact that a completion lists was produced by a result of its run.",
  severity: "warning",
  source: "RFC-103, success criteria",
  heldBackBy: ["agentic-artifact-path", "agentic-run-id-reused"],
  *check(log) {
    for (const { id, steps, end, isUnclear, isMixed } of log.runs) {
      if (end?.kind !== "completed" || isUnclear || isMixed || end.artifacts.length === 0) continue;
      const strings = steps.flatMap(({ results }) => results).flatMap(stringsWithin);
      const given = new Set(strings.map(artifactNamed));
      for (const artifact of end.artifacts) {
        // A path that is none is told by the rule agentic-artifact-path.
        const name = artifactNamed(artifact.text);
        if (name === undefined || given.has(name)) continue;
        yield { at: artifact, message: `No result of run "${id}" produced the artifact "${artifact.text}".` };
      }
    }
  },
};
