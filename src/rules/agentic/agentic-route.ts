import { guesser, nameAdvice } from "../../words/nearest-name.js";
import { loopPlugin, requestPrefix, transitionTool } from "../../routes/routes.js";
import type { AgenticRule } from "../rule.js";

export const agenticRoute: AgenticRule = {
  id: "agentic-route",
  subject: "agentic",
  summary: "Every plugin that is requested is allowed and has a route.",
  severity: "error",
  source: "RFC-103, required router configuration",
  needs: "routes of the record",
  *check(log) {
    const { routes } = log.surroundings;
    const allowed = routes?.allowed;
    const guess = guesser();
    for (const { plugin, at } of log.events) {
      if (plugin === undefined) continue;
      if (plugin === loopPlugin) {
        yield {
          at,
          message: `The loop requests itself; "${loopPlugin}" must not be triggered by its own requests.`,
        };
      } else if (routes === undefined || plugin === transitionTool) continue;
      else if (allowed !== undefined && !allowed.has(plugin)) {
        yield {
          at,
          message: `The routes do not allow the plugin "${plugin}".`,
          advice: nameAdvice(plugin, allowed, guess),
        };
      } else if (routes.routesOf(plugin).length === 0) {
        const advice = nameAdvice(plugin, routes.routedPlugins(), guess);
        yield {
          at,
          message: `By these routes nothing answers this request: there is no pipeline on "${requestPrefix}${plugin}".`,
          advice,
        };
      }
    }
  },
};
