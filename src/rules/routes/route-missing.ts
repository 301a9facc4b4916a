import { guesser, misspelt, nameAdvice } from "../../words/nearest-name.js";
import { loopPlugin, requestPrefix } from "../../routes/routes.js";
import type { Pipeline } from "../../routes/routes-file.js";
import type { RoutesRule } from "../rule.js";

export const routeMissing: RoutesRule = {
  id: "route-missing",
  subject: "routes",
  summary: "Every plugin that the loop may use has a pipeline.",
  severity: "error",
  source: "RFC-103, required router configuration",
  heldBackBy: ["route-self", "route-not-allowed", "route-wrong-plugin"],
  needs: "every pipeline",
  *check({ loop }, routes) {
    if (!routes.hasAllPipelines) return;
    const guess = guesser();
    for (const plugin of loop?.allowed ?? []) {
      if (plugin.text === loopPlugin || routes.routesOf(plugin.text).length > 0) continue;
      const strays = routes.straysOf(plugin.text);
      // Of a plugin that is misspelt, in the event or here, the rule route-not-allowed speaks; of an event that is
      // another's, route-wrong-plugin; of one without its plugin, route-schema: each where the pipeline is, if that file
      // is reported.
      if (strays.some(({ file }) => file.isReported)) continue;
      const meant = routes.listedAmiss.get(plugin.text);
      const advice =
        meant === undefined
          ? (strayAdvice(strays) ??
            nameAdvice(plugin.text, routes.routedPlugins(), guess) ??
            misspelt(`${requestPrefix}${plugin.text}`, routes.otherEvents()))
          : `Did you mean "${meant}"?`;
      yield {
        at: plugin,
        message: `The loop may use "${plugin.text}", but there is no pipeline on "${requestPrefix}${plugin.text}", so a run that asks for it waits forever.`,
        advice,
      };
    }
  },
};

function strayAdvice([stray]: readonly Pipeline[]): string | undefined {
  if (stray?.on === undefined) return undefined;
  return `Is the pipeline on "${stray.on.text}" in "${stray.file.name}" meant for it?`;
}
