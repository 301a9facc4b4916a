import { count } from "../../words/wording.js";
import type { RunRule } from "../rule.js";
import { insteadText } from "../shared/arrival-words.js";
import { inPack } from "../shared/in-pack.js";

export const runGuard: RunRule = {
  id: "run-guard",
  subject: "run",
  summary: "No state is entered more often than its `max_visits` allows.",
  severity: "error",
  source: "RFC 0009, max_visits",
  *check(replay) {
    const { machine, workflow } = replay.ground;
    for (const { to, state, visits, by, outcome } of replay.deviations("spent")) {
      const guard = workflow.states[state.index]?.maxVisits;
      const how =
        by === undefined
          ? `"${to.text}" is entered although it is spent`
          : `The forced exit of "${by.name}" enters "${to.text}" without checking its guard`;
      yield {
        at: to,
        message: `${how}: this is visit ${visits + 1}, but max_visits allows ${guard?.value ?? 0}${inPack(replay, guard)}. ${insteadText(outcome, machine)}`,
      };
    }
    for (const { at, state, visits } of replay.deviations("unseen")) {
      const guard = workflow.states[state.index]?.maxVisits;
      yield {
        at,
        message: `"${state.name}" was entered ${count(visits, "time")} in addition to what the history shows, but max_visits allows ${guard?.value ?? 0}${inPack(replay, guard)}.`,
      };
    }
  },
};
