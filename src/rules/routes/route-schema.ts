import { placeOf } from "../../document/node.js";
import { holdsConfiguration } from "../../routes/read-routes.js";
import { lacksPlugin, requestPrefix } from "../../routes/routes.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { routesSchema } from "../../schema/other-schemas.js";
import type { RoutesRule } from "../rule.js";
import { besideConfig } from "../shared/beside-config.js";
import { withMeantFix } from "../shared/near-name-fix.js";

export const routeSchema: RoutesRule = {
  id: "route-schema",
  subject: "routes",
  summary: "The configuration has the shape that RFC-103 requires.",
  severity: "error",
  fix: "unsafe",
  source: "RFC-103, required router configuration",
  hidesOthers: true,
  *check({ document, misspelt, pipelines, loop }) {
    const { root } = document;
    if (root === undefined) return;
    if (!holdsConfiguration(document)) {
      yield {
        at: placeOf(root),
        message: 'This file declares no routes: it has neither "pipelines" nor "plugins".',
      };
      return;
    }
    for (const { at, meant } of misspelt) {
      const message = `Nothing in RFC-103 is called "${at.text}".`;
      yield withMeantFix(document, { at, message, advice: `Did you mean "${meant}"?`, meant });
    }
    for (const { on } of pipelines) {
      if (on === undefined || !lacksPlugin(on.text)) continue;
      yield {
        at: on,
        message: `"${on.text}" names no plugin: the type of a request is "${requestPrefix}" followed by the plugin.`,
      };
    }
    for (const finding of otherSchemaFindings(root, routesSchema(), document.text)) {
      // All that `config` has to have is that list.
      const lacksList = loop?.config !== undefined && finding.at === placeOf(loop.config);
      const advice = lacksList ? besideConfig(loop, "allowed_plugins") : undefined;
      yield advice === undefined ? withMeantFix(document, finding) : { ...finding, advice };
    }
  },
};
