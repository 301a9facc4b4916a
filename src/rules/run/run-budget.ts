import { count } from "../../words/wording.js";
import type { RunRule } from "../rule.js";
import { inPack } from "../shared/in-pack.js";

export const runBudget: RunRule = {
  id: "run-budget",
  subject: "run",
  summary: "The run stays within the budget of its workflow.",
  severity: "error",
  source: "RFC 0009, engine.budget",
  *check(replay) {
    for (const { at, limit, used, allowed } of replay.deviations("budget")) {
      const place = inPack(replay, allowed);
      const message = {
        max_total_visits: `The budget allows ${count(allowed.value, "visit")}${place}, but this event would need another.`,
        max_tool_calls: `The run made ${count(used, "tool call")}, but the budget allows ${allowed.value}${place}.`,
        max_wall_time_sec: `This happened ${count(used, "second")} after the start, but the budget allows ${allowed.value}${place}.`,
      }[limit];
      yield { at, message };
    }
    for (const { said, allowed } of replay.deviations("other-budget")) {
      const pack = allowed === undefined ? "sets none" : `allows ${allowed.value}${inPack(replay, allowed)}`;
      yield {
        at: said,
        message: `The run was held to a budget of ${count(said.value, "visit")}, but the pack ${pack}.`,
      };
    }
  },
};
