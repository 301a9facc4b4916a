import type { RunRule } from "../rule.js";

export const runIncomplete: RunRule = {
  id: "run-incomplete",
  subject: "run",
  summary: "A record has everything that is needed to check it.",
  severity: "info",
  source: "RFC 0009, engine.budget",
  *check(replay) {
    for (const { at, shown, hasCounts } of replay.deviations("cut")) {
      const guards = hasCounts ? "" : " Without matching visit counts, guards are not checked either.";
      yield {
        at,
        message: `The history shows only the last ${shown} transitions: the start and what came before are not checked.${guards}`,
      };
    }
    for (const { at } of replay.deviations("unclosed")) {
      yield { at, message: "The record has no end: what happened to the run after this is not checked." };
    }
    for (const { at, limit, allowed } of replay.deviations("unmeasured")) {
      const lack = limit === "max_tool_calls" ? "counts no tool calls" : "does not say how long the run took";
      yield { at, message: `The record ${lack}, so ${limit} (${allowed.value}) is not checked.` };
    }
  },
};
