import { listChoices } from "../text/wording.js";
import type { PackRule } from "./rule.js";

export const compositionExit: PackRule = {
  id: "composition-exit",
  subject: "pack",
  summary: "The host chooses the event of a state that runs a composition.",
  severity: "info",
  since: "1.5.0",
  source: "RFC 0010, workflow states",
  *check({ workflow }) {
    for (const { name, runsComposition, onEvent, transitions, terminal } of workflow?.clearStates ?? []) {
      if (!runsComposition || onEvent === undefined || transitions.length === 0) continue;
      // terminal-with-transitions reports events that can never fire.
      if (terminal?.value === true) continue;
      const events = transitions.map(({ event }) => event.text);
      yield {
        at: onEvent,
        message: `State "${name.text}" runs a composition, and the specification does not map its result to ${shownEvents(events)}: the host must ${events.length === 1 ? "fire it" : "choose"}.`,
      };
    }
  },
};

const most = 6;

function shownEvents(events: readonly string[]): string {
  return events.length > most ? `one of its ${events.length} events` : listChoices(events);
}
