import type { RunRule } from "../rule.js";

const deeds = { set: "is set", changed: "changes", gone: "disappears", "not-appended": "is overwritten" };
const facts = {
  set: "was set",
  changed: "has changed",
  gone: "has disappeared",
  "not-appended": "was overwritten",
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
          ? `although "${left}" declares it with the mode "append": the new value must begin with the old one`
          : `although "${left}" does not declare it`;
      const message = {
        leaving: `The artifact "${name}" ${deeds[change]} on leaving "${left}", ${why}.`,
        since: `The artifact "${name}" ${facts[change]} since the last transition, ${why}.`,
        closed: `The artifact "${name}" ${facts[change]} since the last transition, but the run has not left "${left}".`,
      }[when];
      yield { at, message };
    }
  },
};
