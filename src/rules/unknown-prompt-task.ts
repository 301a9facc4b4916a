import type { PackRule } from "./rule.js";
import { promptCorrector } from "./shared/correct-name.js";
import { idsWithoutKey } from "./shared/lost-prompts.js";
import { nearNameFix } from "./shared/near-name-fix.js";

export const unknownPromptTask: PackRule = {
  id: "unknown-prompt-task",
  subject: "pack",
  summary: "Every state runs a prompt of the pack.",
  severity: "error",
  source: "RFC 0005, rule 2",
  *check(pack) {
    const { document, prompts, hasAllPrompts, workflow } = pack;
    if (prompts === undefined || !hasAllPrompts) return;
    const lost = idsWithoutKey(prompts);
    const correct = promptCorrector(pack);
    for (const { name, promptTask } of workflow?.states ?? []) {
      if (promptTask === undefined || prompts.has(promptTask.text) || lost.has(promptTask.text)) continue;
      yield {
        at: promptTask,
        message: `State "${name.text}" runs the prompt "${promptTask.text}", which is not in "prompts".`,
        ...correct(promptTask.text, (names) => nearNameFix(document, promptTask, names)),
      };
    }
  },
};
