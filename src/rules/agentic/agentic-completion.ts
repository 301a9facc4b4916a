import { count } from "../../words/wording.js";
import type { AgenticRule } from "../rule.js";

export const agenticCompletion: AgenticRule = {
  id: "agentic-completion",
  subject: "agentic",
  summary: "What a completion says about its run agrees with the log.",
  severity: "error",
  source: "RFC-103, event contract 4",
  heldBackBy: ["agentic-run-id-reused"],
  *check(log) {
    for (const { id, steps, starts = [], end, isUnclear, isMixed } of log.runs) {
      if (end?.kind !== "completed" || isUnclear || isMixed) continue;
      const taken = end.field("steps_taken");
      const last = steps.at(-1)?.step ?? 0;
      if (
        taken?.kind === "scalar" &&
        typeof taken.value === "number" &&
        taken.value !== steps.length &&
        taken.value !== last
      ) {
        yield { at: taken, message: `Run "${id}" took ${count(steps.length, "step")}, not ${taken.value}.` };
      }
      const { goal } = end;
      const goals = starts.flatMap((start) => start.goal ?? []);
      const [first] = goals;
      if (goal === undefined || first === undefined) continue;
      if (goals.some(({ text }) => text.trim() === goal.text.trim())) continue;
      yield {
        at: goal,
        message: `The goal of run "${id}" is not the one it was started with.`,
        related: [{ at: first, message: "the goal at the start" }],
      };
    }
  },
};
