import type { PackRule } from "./rule.js";
import { clearSteps } from "./shared/composition-findings.js";
import { promptCorrector } from "./shared/name-corrections.js";

export const unknownStepPrompt: PackRule = {
  id: "unknown-step-prompt",
  subject: "pack",
  summary: "Every `prompt` and `agent` step runs a prompt of the pack.",
  severity: "error",
  fix: "unsafe",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  *check(pack) {
    const correct = promptCorrector(pack);
    for (const { id, promptTask } of clearSteps(pack)) {
      if (promptTask === undefined || !pack.isUnknownPrompt(promptTask.text)) continue;
      yield {
        at: promptTask,
        wants: "a prompt",
        message: `Step "${id.text}" runs the prompt "${promptTask.text}", which is not in "prompts".`,
        ...correct(promptTask),
      };
    }
  },
};
