import type { RunRule } from "../rule.js";

const deeds = { set: "is filled", changed: "changes", gone: "is gone", "not-appended": "is not continued" };
const facts = {
  set: "was filled",
  changed: "has changed",
  gone: "is gone",
  "not-appended": "was not continued",
};

export const runArtifactChange: RunRule = {
  id: "run-artifact-change",
  subject: "run",
  summary:
    "An artifact changes only on leaving a state that declares it, and with the mode `append` it only grows.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: update",
  *check(replay) {
    for (const { at, name, change, left, when } of replay.deviations("artifact")) {
      const why =
        change === "not-appended"
          ? `though "${left}" declares it with the mode "append": the new value has to begin with the old one`
          : `though "${left}" does not declare it`;
      const message = {
        leaving: `The artifact "${name}" ${deeds[change]} on leaving "${left}", ${why}.`,
        since: `The artifact "${name}" ${facts[change]} since the last transition, ${why}.`,
        closed: `The artifact "${name}" ${facts[change]} since the last transition, though no event has left "${left}".`,
      }[when];
      yield { at, message };
    }
  },
};
