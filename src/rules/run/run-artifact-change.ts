import type { DeviationOf } from "../../replay/deviation.js";
import type { RunRule } from "../rule.js";

const deeds = { set: "is set", changed: "changes", gone: "disappears" };
const facts = { set: "was set", changed: "has changed", gone: "has disappeared" };

export const runArtifactChange: RunRule = {
  id: "run-artifact-change",
  subject: "run",
  summary:
    "An artifact changes only on leaving a state that declares it, and with the mode `append` it only grows.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: update",
  *check(replay) {
    for (const deviation of replay.deviations("artifact")) {
      const { at, name, change, mode, left, when } = deviation;
      const isOverwritten = mode === "append" && change === "changed";
      const deed = isOverwritten ? "is overwritten" : deeds[change];
      const fact = isOverwritten ? "was overwritten" : facts[change];
      const message = {
        leaving: `The artifact "${name}" ${deed} on leaving "${left}"${objectionTo(deviation)}.`,
        since: `The artifact "${name}" ${fact} since the last transition${objectionTo(deviation)}.`,
        closed: `The artifact "${name}" ${fact} since the last transition, but the run has not left "${left}".`,
      }[when];
      yield { at, message };
    }
  },
};

function objectionTo({ left, mode, change }: DeviationOf<"artifact">): string {
  if (mode === undefined) return `, although "${left}" does not declare it`;
  if (mode === "replace") return ": a state can overwrite an artifact, not remove it";
  const rule = change === "gone" ? "it may only grow" : "the new value must begin with the old one";
  return `, although "${left}" declares it with the mode "append": ${rule}`;
}
