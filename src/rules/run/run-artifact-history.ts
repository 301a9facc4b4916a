import { count } from "../../words/wording.js";
import type { RunRule } from "../rule.js";

export const runArtifactHistory: RunRule = {
  id: "run-artifact-history",
  subject: "run",
  summary: "Artifacts are captured at the transitions that the history shows.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: capture",
  *check(replay) {
    for (const { at, said, is } of replay.deviations("capture")) {
      yield {
        at,
        message: `Artifacts were captured on the transition from ${said}, but the history shows the transition from ${is}.`,
      };
    }
    for (const { at, captures, moves } of replay.deviations("captures")) {
      yield {
        at,
        message: `Artifacts were captured ${count(captures, "time")}, but the history shows ${count(moves, "transition")}.`,
      };
    }
  },
};
