import { mayGrantTools } from "../pack/skills.js";
import type { PackRule } from "./rule.js";

export const stepToolNotInPrompt: PackRule = {
  id: "step-tool-not-in-prompt",
  subject: "pack",
  summary: "An `agent` step lists only tools that its prompt lists.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, agent steps",
  *check({ prompts, toolUse, skills }) {
    if (mayGrantTools(skills)) return;
    for (const { step, name, isUnknown } of toolUse.ofSteps) {
      if (step.kind !== "agent" || isUnknown) continue;
      const prompt = step.promptTask && prompts.get(step.promptTask.text);
      if (prompt === undefined || toolUse.mayList(prompt, name.text)) continue;
      yield {
        at: name,
        message: `Step "${step.id.text}" cannot call "${name.text}": its prompt "${prompt.key.text}" does not list this tool.`,
        advice: 'Add it to the "tools" of the prompt, or remove it here.',
      };
    }
  },
};
