import { nameAdvice } from "../../words/nearest-name.js";
import { loopPlugin, resultType } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeNoResume: RoutesRule = {
  id: "route-no-resume",
  subject: "routes",
  summary: "Every pipeline on a request ends by resuming `agentic-loop`.",
  severity: "error",
  source: "RFC-103, required router configuration",
  heldBackBy: ["route-loop-misplaced", "route-self"],
  *check({ pipelines }, { resumesOnResult }) {
    for (const { plugin, steps, at, name } of pipelines) {
      if (plugin === undefined || plugin === loopPlugin || steps === undefined || steps.length === 0)
        continue;
      // A loop that stands elsewhere in the pipeline is told to move; a step that cannot be read may be the loop.
      if (steps.some(({ uses }) => uses === undefined || uses.text === loopPlugin)) continue;
      const last = steps.at(-1);
      const advice = nameAdvice(last?.uses?.text ?? "", [loopPlugin]);
      const consequence = !resumesOnResult
        ? ", so the run is never resumed and waits forever"
        : advice === undefined
          ? `: RFC-103 asks for the resume as the last step of this same pipeline, not of one on "${resultType}"`
          : "";
      yield {
        at: last?.uses ?? last?.at ?? at,
        message: `The pipeline${name === undefined ? "" : ` "${name.text}"`} does not end with "${loopPlugin}"${consequence}.`,
        advice,
      };
    }
  },
};
