import { createMentionSearch } from "../pack/prompt-mentions.js";
import type { State } from "../pack/workflow.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";

export const eventNotInPrompt: PackRule = {
  id: "event-not-in-prompt",
  subject: "pack",
  summary: "The prompt of a state mentions the events that the state waits for.",
  severity: "info",
  source: "workflow guide, prompt doesn't emit expected events",
  *check(pack) {
    const { workflow } = pack;
    if (workflow === undefined) return;
    const mentions = createMentionSearch(pack);
    for (const state of workflow.clearStates) {
      const { name, prompt, terminal, onEvent, transitions } = state;
      if (terminal?.value === true || !isInternal(state)) continue;
      if (prompt === undefined || onEvent === undefined) continue;
      const missing = transitions
        .map(({ event }) => event.text)
        .filter((event) => mentions(prompt, event) === false);
      if (missing.length === 0) continue;
      const [noun, them] = missing.length === 1 ? ["event", "it"] : ["events", "them"];
      yield {
        at: onEvent,
        message: `The prompt "${prompt.key.text}" does not mention the ${noun} ${listNames(missing)}, which state "${name.text}" waits for.`,
        advice: `Tell the model when to emit ${them}.`,
        data: { events: missing },
      };
    }
  },
};

/** With an unknown orchestration it is unclear who sends the events. */
function isInternal({ orchestration }: State): boolean {
  return orchestration === undefined || orchestration.text === "internal";
}
