import { guesser, nameAdvice } from "../../words/nearest-name.js";
import type { RunRule } from "../rule.js";

export const runUnknownState: RunRule = {
  id: "run-unknown-state",
  subject: "run",
  summary: "Every state that a record names is a state of the workflow.",
  severity: "error",
  source: "RFC 0005, workflow states",
  *check(replay) {
    const { workflow } = replay.ground;
    const guess = guesser();
    for (const { name } of replay.deviations("unknown-state")) {
      const advice = nameAdvice(name.text, workflow.stateNames(), guess);
      yield { at: name, message: `"${name.text}" is not a state of the workflow.`, advice };
    }
  },
};
