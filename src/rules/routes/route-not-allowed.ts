import { guesser, nameAdvice } from "../../words/nearest-name.js";
import { loopPlugin } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeNotAllowed: RoutesRule = {
  id: "route-not-allowed",
  subject: "routes",
  summary: "No pipeline answers requests for a plugin that the loop may not use.",
  severity: "error",
  source: "RFC-103, security and scope",
  heldBackBy: ["route-self", "route-wrong-plugin"],
  needs: "allowed plugins",
  *check({ pipelines }, routes) {
    const { allowed, misdirected } = routes;
    if (allowed === undefined) return;
    const guess = guesser();
    for (const pipeline of pipelines) {
      const { plugin, on } = pipeline;
      if (plugin === undefined || on === undefined || plugin === loopPlugin || allowed.has(plugin)) continue;
      // Of one that runs another plugin, the rule route-wrong-plugin speaks.
      if (misdirected.has(pipeline)) continue;
      const meant = routes.meant.get(plugin);
      yield {
        at: on,
        message: `"${plugin}" has a route but is not in "allowed_plugins".`,
        advice:
          meant !== undefined && routes.listedAmiss.has(meant)
            ? `Did you misspell it there as "${meant}"?`
            : nameAdvice(plugin, allowed, guess),
      };
    }
  },
};
