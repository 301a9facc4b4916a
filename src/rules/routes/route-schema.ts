import { lacksPlugin, requestPrefix } from "../../routes/routes.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { routesSchema } from "../../schema/other-schemas.js";
import type { RoutesRule } from "../rule.js";

export const routeSchema: RoutesRule = {
  id: "route-schema",
  subject: "routes",
  summary: "The configuration has the shape that RFC-103 requires.",
  severity: "error",
  source: "RFC-103, required router configuration",
  hidesOthers: true,
  *check({ document, misspelt, pipelines }) {
    for (const { at, meant } of misspelt) {
      yield {
        at,
        message: `Nothing in RFC-103 is called "${at.text}".`,
        advice: `Did you mean "${meant}"?`,
      };
    }
    for (const { on } of pipelines) {
      if (on === undefined || !lacksPlugin(on.text)) continue;
      yield {
        at: on,
        message: `"${on.text}" names no plugin: the type of a request is "${requestPrefix}" followed by the plugin.`,
      };
    }
    if (document.root === undefined) return;
    yield* otherSchemaFindings(document.root, routesSchema(), document.text);
  },
};
