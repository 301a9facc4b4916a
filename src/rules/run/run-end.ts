import type { RunRule } from "../rule.js";

export const runEnd: RunRule = {
  id: "run-end",
  subject: "run",
  summary: "A record ends where its transitions lead, and its final status is correct.",
  severity: "error",
  source: "RFC 0009, terminal and max_visits",
  *check(replay) {
    for (const { at, is } of replay.deviations("end-state")) {
      yield { at, message: `The record ends in "${at.text}", but the run was in "${is}".` };
    }
    for (const { at, is, state, event, enters } of replay.deviations("end-status")) {
      const fact =
        event === undefined
          ? `in "${state}", with no further event, it is ${is}`
          : enters === undefined
            ? `"${event.text}" leaves it ${is}`
            : `"${event.text}" enters "${enters}"`;
      yield { at, message: `The record calls the run ${at.text}, but ${fact}.` };
    }
    for (const { event } of replay.deviations("end-event")) {
      const message = `The record calls the run running, but names "${event.text}" as the event that ended it.`;
      yield { at: event, message };
    }
    for (const { at, event, is } of replay.deviations("end-target")) {
      yield { at, message: `"${event}" leads to "${is}", not to "${at.text}".` };
    }
  },
};
