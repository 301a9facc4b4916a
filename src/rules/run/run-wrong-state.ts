import type { RunRule } from "../rule.js";
import { forcedMessage, wrongStateMessage } from "../shared/arrival-words.js";
import { inPack } from "../shared/in-pack.js";

export const runWrongState: RunRule = {
  id: "run-wrong-state",
  subject: "run",
  summary: "Each event leads where the workflow says, forced exits included.",
  severity: "error",
  source: "RFC 0005, on_event; RFC 0009, on_max_visits",
  *check(replay) {
    const { machine } = replay.ground;
    for (const deviation of replay.deviations("wrong-state")) {
      const place = inPack(replay, deviation.edge.transition?.event);
      yield { at: deviation.to, message: wrongStateMessage(deviation, machine, place) };
    }
    for (const { at, said, outcome } of replay.deviations("forced")) {
      yield { at, message: forcedMessage(said, outcome, machine) };
    }
  },
};
