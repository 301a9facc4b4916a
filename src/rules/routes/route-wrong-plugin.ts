import { nearestName } from "../../words/nearest-name.js";
import { loopPlugin } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeWrongPlugin: RoutesRule = {
  id: "route-wrong-plugin",
  subject: "routes",
  summary: "The pipeline on a request runs the plugin that the request is for.",
  severity: "error",
  source: "RFC-103, required router configuration",
  heldBackBy: ["route-self", "route-not-allowed", "route-loop-misplaced"],
  *check({ pipelines }, { meant, misdirected }) {
    for (const pipeline of pipelines) {
      const { plugin, on, steps, name } = pipeline;
      if (plugin === undefined || on === undefined || plugin === loopPlugin || steps === undefined) continue;
      const used = steps.flatMap(({ uses }) => uses?.text ?? []);
      // An event that names the plugin amiss is told by the rule route-not-allowed.
      if (used.includes(plugin) || used.includes(meant.get(plugin) ?? plugin)) continue;
      if (steps.some(({ uses }) => uses === undefined)) continue;
      // A loop in the tool's place is told to move.
      if (steps.length > 1 && used.every((each) => each === loopPlugin)) continue;
      const runs = misdirected.get(pipeline);
      const near = runs ?? nearestName(plugin, used);
      const advice = near === undefined ? undefined : `It uses "${near}".`;
      const isMisspelt = runs === undefined && near !== undefined;
      yield {
        at: (isMisspelt ? steps.find(({ uses }) => uses?.text === near)?.uses : undefined) ?? on,
        message: `The pipeline${name === undefined ? "" : ` "${name.text}"`} is on "${on.text}" but never uses "${plugin}".`,
        advice,
      };
    }
  },
};
