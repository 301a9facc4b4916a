import type { RunRule } from "../rule.js";
import { inPack } from "../shared/in-pack.js";

export const runAfterEnd: RunRule = {
  id: "run-after-end",
  subject: "run",
  summary: "Nothing happens after the end of a run.",
  severity: "error",
  source: "RFC 0009, terminal",
  *check(replay) {
    for (const { at, state } of replay.deviations("after-end")) {
      const { name } = replay.ground.workflow.states[state?.index ?? -1] ?? {};
      const message =
        state === undefined
          ? "The record goes on after its end."
          : `An event happens in "${state.name}", which ends the run${inPack(replay, name)}.`;
      yield { at, message };
    }
    for (const { at } of replay.deviations("next-run")) {
      const message = "Another run starts here, after the end of the record.";
      yield { at, message, advice: "Put each run into a file of its own." };
    }
  },
};
