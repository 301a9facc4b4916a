import { artifactNamed } from "../../agentic/workspace.js";
import type { AgenticRule } from "../rule.js";

export const agenticArtifactPath: AgenticRule = {
  id: "agentic-artifact-path",
  subject: "agentic",
  summary: "Artifacts are named by relative paths inside `artifacts/`.",
  severity: "error",
  source: "RFC-103, workspace contract",
  *check(log) {
    for (const event of log.events) {
      if (event.kind !== "result" && event.kind !== "completed") continue;
      for (const path of [event.artifactPath, ...event.artifacts]) {
        if (path === undefined || artifactNamed(path.text) !== undefined) continue;
        yield { at: path, message: `"${path.text}" is not a relative path inside "artifacts/".` };
      }
    }
  },
};
