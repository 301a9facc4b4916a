import { didYouMean, guesser } from "../nearest-name.js";
import { nearNameFix } from "./near-name-fix.js";
import type { PackRule } from "./rule.js";

export const unknownPromptTask: PackRule = {
  id: "unknown-prompt-task",
  subject: "pack",
  summary: "Every state runs a prompt of the pack.",
  severity: "error",
  source: "RFC 0005, rule 2",
  *check({ document, prompts, hasAllPrompts, workflow }) {
    if (prompts === undefined || !hasAllPrompts) return;
    const guess = guesser();
    for (const { name, promptTask, prompt } of workflow?.states ?? []) {
      if (promptTask === undefined || prompt !== undefined) continue;
      const hint = didYouMean(promptTask.text, prompts.keys(), guess);
      yield {
        at: promptTask,
        message: `State "${name.text}" runs the prompt "${promptTask.text}", which is not in "prompts".${hint}`,
        ...(hint !== "" && nearNameFix(document, promptTask, prompts.keys())),
      };
    }
  },
};
