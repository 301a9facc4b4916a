import { loopPlugin } from "../../routes/routes.js";
import type { RoutesRule } from "../rule.js";

export const routeSelf: RoutesRule = {
  id: "route-self",
  subject: "routes",
  summary: "The loop cannot trigger itself.",
  severity: "error",
  source: "RFC-103, security and scope",
  *check({ loop, pipelines }) {
    for (const plugin of loop?.allowed ?? []) {
      if (plugin.text !== loopPlugin) continue;
      yield { at: plugin, message: `"${loopPlugin}" must not be among its own "allowed_plugins".` };
    }
    for (const { plugin, on } of pipelines) {
      if (plugin !== loopPlugin || on === undefined) continue;
      yield {
        at: on,
        message: `"${loopPlugin}" must not have a request route of its own: it would trigger itself.`,
      };
    }
  },
};
