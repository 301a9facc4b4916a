import { guesser, nameAdvice } from "../../words/nearest-name.js";
import { listNames } from "../../words/wording.js";
import type { RunRule } from "../rule.js";
import { inPack } from "../shared/in-pack.js";

export const runUnknownEvent: RunRule = {
  id: "run-unknown-event",
  subject: "run",
  summary: "Each event exists in the state where it happened.",
  severity: "error",
  source: "RFC 0005, on_event",
  *check(replay) {
    const guess = guesser();
    for (const { event, state } of replay.deviations("unknown-event")) {
      const names = state.edges.map((edge) => edge.event);
      const { name } = replay.ground.workflow.states[state.index] ?? {};
      yield {
        at: event,
        message: `State "${state.name}" has no event "${event.text}", only ${listNames(names)}${inPack(replay, name)}.`,
        advice: nameAdvice(event.text, names, guess),
      };
    }
  },
};
