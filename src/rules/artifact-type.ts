import { isMimeType } from "../pack/artifacts.js";
import type { WorkflowRule } from "./rule.js";

export const artifactType: WorkflowRule = {
  id: "artifact-type",
  subject: "workflow",
  summary: "The type of an artifact is a MIME type.",
  severity: "warning",
  source: "RFC 0009, ArtifactDef; workflow guide, checklist",
  *check({ clearStates }) {
    for (const { artifacts } of clearStates) {
      for (const { name, type } of artifacts) {
        if (type === undefined || isMimeType(type.text)) continue;
        yield {
          at: type,
          wants: "a MIME type",
          message: `The type of the artifact "${name.text}" is "${type.text}", which is not a MIME type such as "text/plain" or "application/json".`,
        };
      }
    }
  },
};
