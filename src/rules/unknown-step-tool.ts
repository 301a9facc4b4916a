import type { PackRule } from "./rule.js";
import { createCorrector } from "./shared/name-corrections.js";

export const unknownStepTool: PackRule = {
  id: "unknown-step-tool",
  subject: "pack",
  summary: "Every tool that a step calls or lists is a tool of the pack, or the runtime's own.",
  severity: "error",
  fix: "unsafe",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  *check({ tools, toolUse, document }) {
    const correct = createCorrector(document, () => tools.keys());
    for (const { step, name, isUnknown } of toolUse.ofSteps) {
      if (!isUnknown) continue;
      const verb = step.kind === "tool" ? "calls" : "lists";
      yield {
        at: name,
        wants: "a tool",
        message: `Step "${step.id.text}" ${verb} the tool "${name.text}", which is not in "tools".`,
        ...correct(name),
      };
    }
  },
};
