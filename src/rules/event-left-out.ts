import { eventMentions } from "../pack/prompt-mentions.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";

export const eventLeftOut: PackRule = {
  id: "event-left-out",
  subject: "pack",
  summary: "A prompt that mentions some events of its state mentions all of them, spelled exactly.",
  severity: "warning",
  source: "workflow guide, prompt doesn't emit expected events",
  *check(pack) {
    for (const { state, prompt, onEvent, exact, otherCase, missing } of eventMentions(pack)) {
      if (exact.length + otherCase.length === 0 || otherCase.length + missing.length === 0) continue;
      const omits = exact.length === 0 ? "does not mention" : "mentions other events, but not";
      const parts = [
        ...(missing.length === 0 ? [] : [`${omits} ${listNames(missing)}`]),
        ...(otherCase.length === 0 ? [] : [`mentions ${listNames(otherCase)} only in another letter case`]),
      ];
      yield {
        at: onEvent,
        message: `In state "${state.name.text}", the prompt "${prompt.key.text}" ${parts.join(", and ")}.`,
        advice:
          otherCase.length === 0
            ? `Tell the model when to emit ${missing.length === 1 ? "it" : "them"}.`
            : "Name each event as on_event spells it: runtimes match exactly.",
        data: { events: [...missing, ...otherCase] },
      };
    }
  },
};
