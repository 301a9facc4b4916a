import { nearestName } from "../../nearest-name.js";
import { loopPlugin } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeWrongPlugin: RoutesRule = {
  id: "route-wrong-plugin",
  subject: "routes",
  summary: "The pipeline on a request runs the plugin that the request is for.",
  severity: "error",
  source: "RFC-103, required router configuration",
  heldBackBy: ["route-self", "route-not-allowed"],
  *check({ pipelines }, { meant }) {
    for (const { plugin, on, steps, name } of pipelines) {
      if (plugin === undefined || on === undefined || plugin === loopPlugin || steps === undefined) continue;
      const used = steps.flatMap(({ uses }) => uses?.text ?? []);
      // An event that names the plugin amiss is told by the rule route-not-allowed.
      if (used.includes(plugin) || used.includes(meant.get(plugin) ?? plugin)) continue;
      if (steps.some(({ uses }) => uses === undefined)) continue;
      const near = nearestName(plugin, used);
      const advice = near === undefined ? undefined : `It uses "${near}".`;
      yield {
        at: steps.find(({ uses }) => uses?.text === near)?.uses ?? on,
        message: `The pipeline${name === undefined ? "" : ` "${name.text}"`} is on "${on.text}" but never uses "${plugin}".`,
        advice,
      };
    }
  },
};
