import { guesser, nameAdvice } from "../../nearest-name.js";
import { loopPlugin, requestPrefix } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeMissing: RoutesRule = {
  id: "route-missing",
  subject: "routes",
  summary: "Every plugin that the loop may use has a pipeline.",
  severity: "error",
  source: "RFC-103, required router configuration",
  heldBackBy: ["route-self"],
  *check({ loop }, routes) {
    const guess = guesser();
    for (const plugin of loop?.allowed ?? []) {
      if (plugin.text === loopPlugin || routes.routesOf(plugin.text).length > 0) continue;
      const advice = nameAdvice(plugin.text, routes.routedPlugins(), guess);
      yield {
        at: plugin,
        message: `The loop may use "${plugin.text}", but no pipeline is on "${requestPrefix}${plugin.text}", so a run that asks for it waits for ever.`,
        advice,
      };
    }
  },
};
