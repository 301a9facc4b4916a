import { artifactFolder, artifactsFor, workspaceFiles } from "../../agentic/workspace.js";
import type { AgenticRule } from "../rule.js";

export const agenticWorkspace: AgenticRule = {
  id: "agentic-workspace",
  subject: "agentic",
  summary: "The workspace has the files of the contract, and every artifact that the log names.",
  severity: "error",
  source: "RFC-103, workspace contract",
  needs: "workspace",
  *check(log) {
    const { workspace } = log.surroundings;
    const at = log.events[0]?.at;
    if (workspace === undefined || at === undefined) return;
    for (const file of workspaceFiles) {
      if (workspace.has(file) !== "file") {
        yield { at, message: `The workspace "${workspace.name}" has no file "${file}".` };
      }
    }
    if (workspace.has(artifactFolder) !== "folder") {
      yield { at, message: `The workspace "${workspace.name}" has no folder "${artifactFolder}".` };
      return;
    }
    for (const [name, path] of artifactsFor(workspace, log.events)) {
      if (workspace.has(name) !== undefined) continue;
      yield { at: path, message: `The workspace "${workspace.name}" has no artifact "${path.text}".` };
    }
  },
};
