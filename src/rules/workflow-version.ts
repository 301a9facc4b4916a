import type { Workflow } from "../pack/workflow.js";
import type { WorkflowRule } from "./rule.js";

const newestWorkflowVersion = 2;

export function unknownWorkflowVersion({ version }: Workflow): string | undefined {
  if (version === undefined || version.value <= newestWorkflowVersion) return undefined;
  return `No published specification defines workflow version ${version.value}; the newest is ${newestWorkflowVersion}.`;
}

export const workflowVersion: WorkflowRule = {
  id: "workflow-version",
  subject: "workflow",
  summary: "The version of the workflow is one that a published specification defines.",
  severity: "warning",
  source: "RFC 0005, workflow; RFC 0009, question 1",
  *check(workflow) {
    const message = unknownWorkflowVersion(workflow);
    if (message !== undefined) yield { at: workflow.version ?? workflow.at, message };
  },
};
