import { guesser, misspelt, nameAdvice } from "../../words/nearest-name.js";
import { loopPlugin, requestPrefix } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeMissing: RoutesRule = {
  id: "route-missing",
  subject: "routes",
  summary: "Every plugin that the loop may use has a pipeline.",
  severity: "error",
  source: "RFC-103, required router configuration",
  heldBackBy: ["route-self", "route-not-allowed", "route-wrong-plugin"],
  *check({ loop }, routes) {
    if (!routes.hasAllPipelines) return;
    const guess = guesser();
    // Of a route that is misspelt, the rule route-not-allowed speaks; of one on another's event, route-wrong-plugin;
    // of one without its plugin, route-schema.
    const told = new Set([
      ...routes.meant.values(),
      ...routes.misdirected.values(),
      ...routes.unnamedPlugins(),
    ]);
    for (const plugin of loop?.allowed ?? []) {
      const isRouted = routes.routesOf(plugin.text).length > 0 || told.has(plugin.text);
      if (plugin.text === loopPlugin || isRouted) continue;
      const advice =
        nameAdvice(plugin.text, routes.routedPlugins(), guess) ??
        misspelt(`${requestPrefix}${plugin.text}`, routes.otherEvents());
      yield {
        at: plugin,
        message: `The loop may use "${plugin.text}", but there is no pipeline on "${requestPrefix}${plugin.text}", so a run that asks for it waits forever.`,
        advice,
      };
    }
  },
};
