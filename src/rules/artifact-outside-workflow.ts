import type { PackRule } from "./rule.js";

export const artifactOutsideWorkflow: PackRule = {
  id: "artifact-outside-workflow",
  subject: "pack",
  summary: "Only prompts that a state runs read artifacts.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",
  *check({ artifacts, workflow, root }) {
    const hasWorkflow = root.entry("workflow") !== undefined;
    // While a state's prompt is unknown, it may be this one.
    if (hasWorkflow && workflow?.states?.every((state) => state.prompt !== undefined) !== true) return;
    for (const { name, prompt, reading, states } of artifacts.reads) {
      if (states.length > 0) continue;
      const why = hasWorkflow ? "which no state of the workflow runs" : "but the pack has no workflow";
      yield {
        at: reading.source.placeOf(reading.reference),
        message: `The artifact "${name}" is never filled in here: it is read by the prompt "${prompt.key.text}", ${why}.`,
      };
    }
  },
};
