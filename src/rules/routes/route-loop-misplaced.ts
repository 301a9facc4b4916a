import { loopPlugin } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeLoopMisplaced: RoutesRule = {
  id: "route-loop-misplaced",
  subject: "routes",
  summary: "`agentic-loop` is used only as the last step of a pipeline.",
  severity: "error",
  source: "RFC-103, required router configuration",
  *check({ pipelines }) {
    for (const { plugin, steps = [] } of pipelines) {
      for (const { uses } of steps.slice(0, -1)) {
        if (uses?.text !== loopPlugin) continue;
        // Only on a request is there a tool to wait for.
        const why = plugin === undefined ? "" : " takes its turn after the tool is done, so it";
        yield { at: uses, message: `"${loopPlugin}"${why} must be the last step.` };
      }
    }
  },
};
