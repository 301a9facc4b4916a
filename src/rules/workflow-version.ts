import type { WorkflowRule } from "./rule.js";

const newestWorkflowVersion = 2;

export const workflowVersion: WorkflowRule = {
  id: "workflow-version",
  subject: "workflow",
  summary: "The version of the workflow is one that a published specification defines.",
  severity: "warning",
  source: "RFC 0005, workflow; RFC 0009, question 1",
  *check({ version }) {
    if (version === undefined || version.value <= newestWorkflowVersion) return;
    yield {
      at: version,
      message: `No published specification defines workflow version ${version.value}; the newest is ${newestWorkflowVersion}.`,
    };
  },
};
