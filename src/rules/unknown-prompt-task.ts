import type { PackRule } from "./rule.js";
import { promptCorrector } from "./shared/name-corrections.js";

export const unknownPromptTask: PackRule = {
  id: "unknown-prompt-task",
  subject: "pack",
  summary: "Every state runs a prompt of the pack.",
  severity: "error",
  fix: "unsafe",
  source: "RFC 0005, rule 2",
  *check(pack) {
    const correct = promptCorrector(pack);
    for (const { name, promptTask, runsComposition } of pack.workflow?.clearStates ?? []) {
      if (runsComposition || promptTask === undefined || !pack.isUnknownPrompt(promptTask.text)) continue;
      yield {
        at: promptTask,
        wants: "a prompt",
        message: `State "${name.text}" runs the prompt "${promptTask.text}", which is not in "prompts".`,
        ...correct(promptTask),
      };
    }
  },
};
