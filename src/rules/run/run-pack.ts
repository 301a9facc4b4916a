import type { RunRule } from "../rule.js";

export const runPack: RunRule = {
  id: "run-pack",
  subject: "run",
  summary: "The record was made with the pack that it is checked against.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle: capture",
  *check(replay) {
    for (const { said, what, is } of replay.deviations("other-pack")) {
      const message =
        what === "id"
          ? `The record was made with the pack "${said.text}", but it is checked against "${is}".`
          : `The record was made with version ${said.text} of the pack, but it is checked against version ${is}.`;
      yield { at: said, message };
    }
  },
};
