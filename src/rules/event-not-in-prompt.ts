import { promptWords } from "../pack/prompt-words.js";
import { listNames } from "../wording.js";
import type { PackRule } from "./rule.js";

export const eventNotInPrompt: PackRule = {
  id: "event-not-in-prompt",
  subject: "pack",
  summary: "The prompt of a state mentions the events that the state waits for.",
  severity: "info",
  source: "workflow guide, prompt doesn't emit expected events",
  *check(pack) {
    const mentions = promptWords(pack);
    for (const { name, prompt, terminal, onEvent, orchestration } of pack.workflow?.states ?? []) {
      if (prompt === undefined || onEvent === undefined || terminal?.value === true) continue;
      if (orchestration?.text === "external" || orchestration?.text === "hybrid") continue;
      const missing = onEvent.transitions
        .map(({ event }) => event.text)
        .filter((event) => mentions(prompt, event) === false);
      if (missing.length === 0) continue;
      yield {
        at: onEvent.at,
        message: `The prompt "${prompt.key.text}" never mentions ${listNames(missing)}, which state "${name.text}" waits for. Tell the model when to emit ${missing.length === 1 ? "it" : "them"}.`,
        data: { events: missing },
      };
    }
  },
};
