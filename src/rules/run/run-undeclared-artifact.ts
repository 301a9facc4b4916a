import { guesser, nameAdvice } from "../../words/nearest-name.js";
import type { RunRule } from "../rule.js";

export const runUndeclaredArtifact: RunRule = {
  id: "run-undeclared-artifact",
  subject: "run",
  summary: "Every artifact of a record is declared by some state.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: declaration",
  *check(replay) {
    const guess = guesser();
    for (const { name } of replay.deviations("undeclared-artifact")) {
      const advice = nameAdvice(name.text, replay.ground.pack.artifacts.declared.keys(), guess);
      yield { at: name, message: `No state declares the artifact "${name.text}".`, advice };
    }
  },
};
