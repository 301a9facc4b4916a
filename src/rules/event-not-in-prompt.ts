import { eventMentions } from "../pack/prompt-mentions.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";

export const eventNotInPrompt: PackRule = {
  id: "event-not-in-prompt",
  subject: "pack",
  summary: "The prompt of a state mentions the events that the state waits for.",
  severity: "info",
  source: "workflow guide, prompt doesn't emit expected events",
  *check(pack) {
    for (const { state, prompt, onEvent, missing } of eventMentions(pack)) {
      if (missing.length === 0 || missing.length < state.transitions.length) continue;
      const [noun, them] = missing.length === 1 ? ["event", "it"] : ["events", "them"];
      yield {
        at: onEvent,
        message: `The prompt "${prompt.key.text}" does not mention the ${noun} ${listNames(missing)}, which state "${state.name.text}" waits for.`,
        advice: `Tell the model when to emit ${them}.`,
        data: { events: missing },
      };
    }
  },
};
